import {
  type GraphQLBody,
  type GraphQLError,
  graphqlRequest,
  mediaType,
  nodesOf,
  type Page,
} from '../sdk/requests/graphql.ts'
import { readResponse, send } from '../sdk/requests/http.ts'
import { Failure } from './failure.ts'
import { valueAt } from './print.ts'

const timeoutSeconds = 60
/** The message of graphql-js for a value that does not have the type of its input field. */
const invalidVariable = /^Variable "\$\w+" got invalid value .* at "\w+\.([\w.[\]]+)"; (.*)$/s
/** What to do on the command line, for some reasons of conflicts. */
const hints: { [reason: string]: string } = {
  DEACTIVATED:
    'To restore the person, run: users restore <email>\nTo invite a new person, add --as-new-person to the command.',
}

/** `tokenSource` is the place where the token was found. Error messages name it. */
export type Server = { url: string; token: string; tokenSource: string }

/** Sends a GraphQL document and returns the data of the response, or throws Failure. */
export type Client = (document: string, variables?: object) => Promise<unknown>

/** Creates a client. It reads the token only when it sends a request. No error message contains the token. */
export function clientOf(serverOf: () => Server): Client {
  return async (document, variables) => {
    const { url, token, tokenSource } = serverOf()
    const orFail = <T>(part: Promise<T>) => part.catch((error) => Promise.reject(unreachable(url, error)))
    const request = graphqlRequest(token, JSON.stringify({ query: document, variables }))
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const headers = { ...request.headers, 'user-agent': 'skein-cli' }
    const response = await orFail(send(fetch, `${url}/operator/graphql`, { ...request, headers, signal }))
    if (response.status === 401) {
      throw new Failure(
        `The server at ${url} rejected the operator token from ${tokenSource}.\n` +
          'Set OPERATOR_TOKEN to the token of that server, or set DATA_DIR to its data directory. ' +
          'If OPERATOR_ALLOWED_ADDRESSES is set there, it must include the address of this machine.',
      )
    }
    if (!response.headers.get('content-type')?.startsWith(mediaType)) throw notSkein(url, response)
    const { body } = await orFail(readResponse(response, url))
    if (!body) throw new Failure(`The response from ${url} is not valid JSON.`)
    const { data, errors } = body as GraphQLBody<unknown>
    if (errors) throw new Failure([...new Set(errors.map(messageOf))].join('\n'))
    return data
  }
}

/**
 * Reads the nodes of all pages of the connection at `path`, with the other fields of their edges. The document uses
 * `pageSelection` and declares `$after`.
 */
export async function listAll(
  client: Client,
  { document, path, variables }: { document: string; path: string; variables: object },
): Promise<object[]> {
  const nodes: object[] = []
  const load = async ({ after }: { after: unknown }) =>
    valueAt(await client(document, { ...variables, after }), path) as Page<object, { cursor: string }>
  for await (const { cursor, ...node } of nodesOf(null, load)) nodes.push(node)
  return nodes
}

export function pageSelection(fields: string, { ofEdges = '', filter = '' } = {}): string {
  return `(${filter} first: 100, after: $after) {
    edges { cursor ${ofEdges} node { ${fields} } } pageInfo { hasNextPage endCursor } }`
}

function messageOf({ message, extensions = {} }: GraphQLError): string {
  const { code, reason = '', requestID, errors = [] } = extensions
  if (code === 'INTERNAL') return `${message} The request ID is ${requestID}.`
  const lines = errors.map((error) => `${error.field} ${error.message}`)
  const [, field, problem] = invalidVariable.exec(message) ?? []
  if (problem) lines.push(`${field}: ${problem}`)
  if (lines.length === 0) return message
  return ['The server refused the request:', ...lines.map((line) => `  ${line}`), hints[reason] ?? '']
    .join('\n')
    .trimEnd()
}

function notSkein(url: string, { status, headers }: Response): Failure {
  const redirect = headers.get('location')
  return new Failure(
    `The response from ${url} (status ${status}${redirect ? `, redirect to ${redirect}` : ''}) ` +
      "is not from Skein's GraphQL API. Set the URL of the server with --url or BASE_URL.",
  )
}

function unreachable(url: string, error: unknown): Failure {
  const isTimeout = valueAt(error, 'name') === 'TimeoutError'
  const reason = isTimeout
    ? `timeout after ${timeoutSeconds} seconds`
    : (valueAt(error, 'cause.code') ?? valueAt(error, 'cause.message') ?? 'the connection was lost')
  return new Failure(
    `The server at ${url} did not respond (${reason}). ` +
      'Check that it is running, or set its URL with --url or BASE_URL.',
  )
}
