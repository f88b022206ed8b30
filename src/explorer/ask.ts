import { createClient, type RequestParams } from 'graphql-sse'

/** A GraphQL request, as GraphiQL sends it. */
export type GraphQLRequest = { query: string; variables?: unknown; operationName?: string | null | undefined }

type Node = { id: string; kind: string; isGeneral: boolean }

type ExplorerData = Partial<Record<List, { nodes: Node[] } | null>> & {
  me?: { id: string; name: string } | null
}

export type List = 'workspaces' | 'users' | 'groups' | 'threads'

export type GraphQLResponse = { data?: ExplorerData | null; errors?: { message: string }[] }

/** Exchanges the code of a one-time link for an access token. Throws an Error with the message of the service. */
export async function signIn(code: string): Promise<string> {
  const response = await fetch(new URL('explorer/session', document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const body = await response.json()
  if (!response.ok) throw new Error(body.detail)
  return body.access_token
}

export async function ask(token: string, request: GraphQLRequest): Promise<GraphQLResponse> {
  const response = await fetch(new URL('public/graphql', document.baseURI), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
    },
    body: JSON.stringify(request),
  })
  return response.json()
}

/** Runs a subscription with Server-Sent Events. */
export function follow(token: string, request: GraphQLRequest): AsyncIterable<object> {
  const url = new URL('public/graphql', document.baseURI).href
  const client = createClient({ url, headers: { authorization: `Bearer ${token}` } })
  return client.iterate(request as RequestParams)
}
