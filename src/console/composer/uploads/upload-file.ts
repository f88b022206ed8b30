import { md5 } from '@noble/hashes/legacy.js'
import { commitMutation, graphql } from 'react-relay/hooks'
import type { GraphQLTaggedNode, IEnvironment, MutationParameters } from 'relay-runtime'
import type { uploadFileCreateMutation } from '../../../generated/console/uploadFileCreateMutation.graphql.ts'
import type { uploadFileTicketMutation } from '../../../generated/console/uploadFileTicketMutation.graphql.ts'
import { namesField, serviceErrorText, unreachableText } from '../../relay/error-text.ts'
import { plainSentence } from '../../relay/plain-sentences.ts'

const sliceBytes = 1024 * 1024

/** The error for a file that the service refuses each time, for example because of its name. */
class RefusedFile extends Error {
  override readonly name = 'RefusedFile'
}

/** Uploads a file and returns its ID. If the service already has a file with these bytes, does not send them. */
export async function uploadFile(
  environment: IEnvironment,
  file: File,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<string> {
  const contentMD5 = await md5Of(file, signal)
  const { uploadTicket: ticket } = await mutate<uploadFileTicketMutation>(
    environment,
    graphql`
      mutation uploadFileTicketMutation($input: UploadTicketInput!) {
        uploadTicket(input: $input) {
          __typename
          ... on File { id }
          ... on UploadTicket { id url headers { name value } }
        }
      }
    `,
    {
      input: {
        name: file.name,
        contentLength: String(file.size),
        contentMD5,
        contentType: file.type || 'application/octet-stream',
      },
    },
  )
  signal.throwIfAborted()
  if (ticket?.__typename === 'File') return ticket.id
  if (ticket?.__typename !== 'UploadTicket') throw new Error('The service did not accept the file.')
  await putFile(ticket, file, signal, onProgress)
  const { createFile } = await mutate<uploadFileCreateMutation>(
    environment,
    graphql`
      mutation uploadFileCreateMutation($input: CreateFileInput!) { createFile(input: $input) { file { id } } }
    `,
    { input: { uploadTicketID: ticket.id } },
  )
  if (!createFile) throw new Error('The service did not accept the file.')
  return createFile.file.id
}

/** Returns the MD5 of a file in base64. Reads the file in slices, so that the page stays responsive. */
async function md5Of(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = md5.create()
  for (let start = 0; start < file.size; start += sliceBytes) {
    signal.throwIfAborted()
    hash.update(new Uint8Array(await file.slice(start, start + sliceBytes).arrayBuffer()))
  }
  return btoa(String.fromCharCode(...hash.digest()))
}

function mutate<T extends MutationParameters>(
  environment: IEnvironment,
  mutation: GraphQLTaggedNode,
  variables: T['variables'],
): Promise<T['response']> {
  return new Promise((resolve, reject) => {
    commitMutation<T>(environment, {
      mutation,
      variables,
      onCompleted: (response, errors) => (errors?.[0] ? reject(failureOf(errors)) : resolve(response)),
      onError: reject,
    })
  })
}

function failureOf(errors: readonly object[]): Error {
  const text = serviceErrorText(errors)
  return namesField(errors) ? new RefusedFile(text) : new Error(text)
}

type Ticket = { url: string; headers: readonly { name: string; value: string }[] }

/** Sends the bytes of a file. Uses XMLHttpRequest, because fetch does not report the progress. */
function putFile(
  { url, headers }: Ticket,
  file: Blob,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open('PUT', url)
    for (const { name, value } of headers) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new Error(textOf(request.responseText)))
    request.onerror = () => reject(new Error(unreachableText))
    request.onabort = () => reject(signal.reason)
    request.onloadend = () => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    request.send(file)
  })
}

function textOf(response: string): string {
  const refused = 'The service refused the file.'
  try {
    const { code, detail } = JSON.parse(response)
    return plainSentence({ code: String(code).toUpperCase() }, detail ?? refused)
  } catch {
    return refused
  }
}
