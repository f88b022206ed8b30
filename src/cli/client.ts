import { Failure } from './failure.ts'
import { at } from './print.ts'

const timeoutSeconds = 60
const mediaType = 'application/graphql-response+json'

/** Where the server is, and the operator's token with the words for where it was found. */
export type Server = { url: string; token: string; tokenSource: string }

/** Sends one GraphQL document and gives its data. Throws Failure. */
export type Client = (document: string, variables?: object) => Promise<unknown>

type GraphQLError = {
  message: string
  extensions?: { code?: string; requestID?: string; errors?: { field: string; message: string }[] }
}

/** A client of the server's GraphQL API. It needs the token with the first call. No message of it holds the token. */
export function clientOf(serverOf: () => Server): Client {
  return async (document, variables) => {
    const server = serverOf()
    const response = await send(server, JSON.stringify({ query: document, variables }))
    if (response.status === 401) {
      throw new Failure(
        `The server at ${server.url} does not accept the operator's token from ${server.tokenSource}.\n` +
          'Set OPERATOR_TOKEN to the token of that server, or DATA_DIR to its data directory.',
      )
    }
    const { data, errors } = await bodyOf(server, response)
    if (errors) throw new Failure([...new Set(errors.map(proseOf))].join('\n'))
    return data
  }
}

/** Reads a whole list, a hundred at a time: `path` is that of the connection, which has `pageOf(...)` and takes `$after`. */
export async function listAll(
  client: Client,
  { document, path, variables }: { document: string; path: string; variables: object },
): Promise<{ cursor: string; node: unknown }[]> {
  const edges: { cursor: string; node: unknown }[] = []
  let after: unknown = null
  do {
    const data = await client(document, { ...variables, after })
    edges.push(...(at(data, `${path}.edges`) as typeof edges))
    after = at(data, `${path}.pageInfo.hasNextPage`) ? at(data, `${path}.pageInfo.endCursor`) : null
  } while (after !== null)
  return edges
}

/** The arguments and the selection of one page of a connection: fields of its nodes, and more of its edges. */
export function pageOf(fields: string, ofEdges = ''): string {
  return `(first: 100, after: $after) {
    edges { cursor ${ofEdges} node { ${fields} } } pageInfo { hasNextPage endCursor } }`
}

async function send({ url, token }: Server, body: string): Promise<Response> {
  try {
    return await fetch(`${url}/public/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: mediaType },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    })
  } catch (error) {
    throw unreachable(url, error)
  }
}

async function bodyOf(
  { url }: Server,
  response: Response,
): Promise<{ data?: unknown; errors?: GraphQLError[] }> {
  const { status, headers } = response
  if (!headers.get('content-type')?.startsWith(mediaType)) {
    const redirect = headers.get('location')
    throw new Failure(
      `What answers at ${url} is not Skein's GraphQL: it has the status ${status}` +
        `${redirect ? `, and leads to ${redirect}` : ''}. Say where the server is with --url or BASE_URL.`,
    )
  }
  try {
    return (await response.json()) as { data?: unknown; errors?: GraphQLError[] }
  } catch (error) {
    throw unreachable(url, error)
  }
}

function proseOf({ message, extensions = {} }: GraphQLError): string {
  const { code, requestID, errors = [] } = extensions
  if (code === 'INTERNAL') return `${message} It is ${requestID}.`
  if (errors.length === 0) return message
  return ['The input is not valid:', ...errors.map((error) => `  ${error.field} ${error.message}`)].join('\n')
}

function unreachable(url: string, error: unknown): Failure {
  const isTimeout = at(error, 'name') === 'TimeoutError'
  const reason = isTimeout
    ? `none within ${timeoutSeconds} seconds`
    : (at(error, 'cause.code') ?? at(error, 'cause.message') ?? 'the connection broke')
  return new Failure(
    `Is the server running at ${url}? There was no answer (${reason}). Say where it is with --url or BASE_URL.`,
  )
}
