import { createHash } from 'node:crypto'
import { mutation } from './mutations.ts'
import type { GraphQLAnswer, Service } from './service.ts'
import type { Ask } from './signed-in.ts'

export type Ticket = {
  __typename: 'UploadTicket'
  id: string
  url: string
  headers: { name: string; value: string }[]
  formData: object[]
  expiresAt: string
}
export type UploadedFile = {
  __typename: 'File'
  id: string
  name: string
  size: number
  contentType: string
  contentMD5: string
  width: number | null
  height: number | null
  url: string
}

export const fileFields = 'id name size contentType contentMD5 width height url createdAt'

export function md5Of(bytes: Buffer | string): string {
  return createHash('md5').update(bytes).digest('base64')
}

/** Requests an upload ticket for these bytes. By default, the input is valid. */
export function announce(
  service: Service,
  token: string,
  bytes: Buffer | string,
  input: object = {},
): Promise<GraphQLAnswer<{ uploadTicket: Ticket | UploadedFile }>> {
  const query = `mutation ($input: UploadTicketInput!) { uploadTicket(input: $input) {
    __typename ... on File { ${fileFields} }
    ... on UploadTicket { id url headers { name value } formData { name value } expiresAt } } }`
  const right = {
    name: 'report.txt',
    contentLength: String(Buffer.byteLength(bytes)),
    contentMD5: md5Of(bytes),
    contentType: 'text/plain',
  }
  return service.graphql(token, query, { input: { ...right, ...input } })
}

/** Returns an upload ticket for these bytes. Throws any other response. */
export async function askForTicket(
  service: Service,
  token: string,
  bytes: Buffer | string,
  input: object = {},
): Promise<Ticket> {
  const { data, errors } = await announce(service, token, bytes, input)
  if (data?.uploadTicket?.__typename !== 'UploadTicket') throw new Error(JSON.stringify({ data, errors }))
  return data.uploadTicket
}

/** Sends bytes to the URL of a ticket. */
export function putBytes(service: Service, { url }: { url: string }, bytes: Buffer | string, headers = {}) {
  const { pathname, search } = new URL(url)
  return service.app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-length': String(Buffer.byteLength(bytes)), ...headers },
    payload: bytes,
  })
}

export function createFile(
  service: Service,
  token: string,
  uploadTicketID: string,
): Promise<GraphQLAnswer<{ createFile: { file: UploadedFile } | null }>> {
  const query = `mutation ($input: CreateFileInput!) { createFile(input: $input) { file { ${fileFields} } } }`
  return service.graphql(token, query, { input: { uploadTicketID } })
}

/** Requests a ticket, sends the bytes and creates the file. */
export async function uploadByTicket(
  service: Service,
  token: string,
  bytes: Buffer | string,
  name = 'report.txt',
): Promise<UploadedFile> {
  const ticket = await askForTicket(service, token, bytes, { name })
  const stored = await putBytes(service, ticket, bytes)
  if (stored.statusCode !== 200) throw new Error(stored.body)
  const { data, errors } = await createFile(service, token, ticket.id)
  if (!data?.createFile) throw new Error(JSON.stringify(errors))
  return data.createFile.file
}

/** Uploads bytes as a person who is signed in, and returns the ID of the file. */
export async function uploadAs(service: Service, ask: Ask, bytes: Buffer): Promise<string> {
  const input = { name: 'me', contentLength: `${bytes.length}`, contentMD5: md5Of(bytes), contentType: 'x' }
  const announced = await ask(
    `mutation ($input: UploadTicketInput!) { uploadTicket(input: $input) {
      ... on File { id } ... on UploadTicket { id url } } }`,
    { input },
  )
  const { id, url } = announced.data.uploadTicket
  if (url === undefined) return id
  const stored = await putBytes(service, { url }, bytes)
  if (stored.statusCode !== 200) throw new Error(stored.body)
  const created = await ask(mutation('createFile', 'file { id }'), { input: { uploadTicketID: id } })
  return created.data.createFile.file.id
}

export function download(
  service: Service,
  { url }: { url: string },
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  const { pathname, search } = new URL(url)
  return service.app.inject({ method, url: pathname + search, headers })
}

/** Sends a message with these files, and returns its ID. */
export async function attach(
  service: Service,
  token: string,
  recipientID: string,
  fileIDs: string[],
): Promise<string> {
  const query = 'mutation ($input: SendMessageInput!) { sendMessage(input: $input) { message { id } } }'
  const input = { thread: { recipients: [recipientID] }, message: { text: 'see', attachments: fileIDs } }
  const { data, errors } = await service.graphql(token, query, { input })
  if (errors) throw new Error(JSON.stringify(errors))
  return data.sendMessage.message.id
}
