import type { GraphQLResponse } from 'relay-runtime'
import { leaveSignedOut } from './signed-out.ts'

type Operation = { query: string; variables: object }

/** Sends an operation as the person who is signed in. The session is in a cookie. */
export async function post(workspaceID: string, operation: Operation): Promise<GraphQLResponse> {
  const response = await fetch('/public/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'skein-workspace': workspaceID },
    body: JSON.stringify(operation),
  })
  if (response.status === 401) leaveSignedOut()
  if (response.status === 403) throw new Error('This workspace does not exist, or you are not in it.')
  const answer = (await response.json()) as GraphQLResponse & { errors?: { message: string }[] }
  if (!('data' in answer) || answer.data === null)
    throw new Error(answer.errors?.[0]?.message ?? response.statusText)
  return answer
}
