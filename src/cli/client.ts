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
const mediaType = 'application/graphql-response+json'

/** `tokenSource` is the place where the token was found. Error messages name it. */
export type Server = { url: string; token: string; tokenSource: string }

/** Sends a GraphQL document and returns the data of the response, or throws Failure. */
export type Client = (document: string, variables?: object) => Promise<unknown>

type GraphQLError = {
  message: string
  extensions?: {
    code?: string
    reason?: string
    requestID?: string
    errors?: { field: string; message: string }[]
  }
}

/** Creates a client. It reads the token only when it sends a request. No error message contains the token. */
export function clientOf(serverOf: () => Server): Client {
  return async (document, variables) => {
    const server = serverOf()
    const response = await send(server, JSON.stringify({ query: document, variables }))
    if (response.status === 401) {
      throw new Failure(
        `The server at ${server.url} rejected the operator token from ${server.tokenSource}.\n` +
          'Set OPERATOR_TOKEN to the token of that server, or set DATA_DIR to its data directory.',
      )
    }
    const { data, errors } = await bodyOf(server, response)
    if (errors) throw new Failure([...new Set(errors.map(messageOf))].join('\n'))
    return data
  }
}

/** Reads all pages of the connection at `path`. The document uses `pageSelection` and declares `$after`. */
export async function listAll(
  client: Client,
  { document, path, variables }: { document: string; path: string; variables: object },
): Promise<{ cursor: string; node: unknown }[]> {
  const edges: { cursor: string; node: unknown }[] = []
  let after: unknown = null
  do {
    const data = await client(document, { ...variables, after })
    edges.push(...(valueAt(data, `${path}.edges`) as typeof edges))
    after = valueAt(data, `${path}.pageInfo.hasNextPage`) ? valueAt(data, `${path}.pageInfo.endCursor`) : null
  } while (after !== null)
  return edges
}

export function pageSelection(fields: string, { ofEdges = '', filter = '' } = {}): string {
  return `(${filter} first: 100, after: $after) {
    edges { cursor ${ofEdges} node { ${fields} } } pageInfo { hasNextPage endCursor } }`
}

async function send({ url, token }: Server, body: string): Promise<Response> {
  try {
    return await fetch(`${url}/operator/graphql`, {
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
      `The response from ${url} (status ${status}${redirect ? `, redirect to ${redirect}` : ''}) ` +
        "is not from Skein's GraphQL API. Set the URL of the server with --url or BASE_URL.",
    )
  }
  try {
    return (await response.json()) as { data?: unknown; errors?: GraphQLError[] }
  } catch (error) {
    if (error instanceof SyntaxError) throw new Failure(`The response from ${url} is not valid JSON.`)
    throw unreachable(url, error)
  }
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
