import type { GraphQLResponse } from 'relay-runtime'
import { FailedOperation } from './error-text.ts'
import { MissingWorkspaceError } from './missing-workspace.ts'
import { isSigningOut, leaveSignedOut } from './signed-out.ts'

const longestMs = 60_000

type Operation = { query: string; variables: object }

/**
 * Sends an operation as the person who is signed in. The session is in a cookie. The service refuses the operation if
 * this person is not the user `userID`, because somebody else has signed in in another tab.
 */
export async function post(
  workspaceID: string,
  operation: Operation,
  userID?: string,
): Promise<GraphQLResponse> {
  const response = await fetch('/public/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'skein-workspace': workspaceID,
      ...(userID !== undefined && { 'skein-user': userID }),
    },
    body: JSON.stringify(operation),
    // A connection can hang without an error, for example after the computer has slept.
    signal: AbortSignal.timeout(longestMs),
  })
  if (response.status === 401) return leaveSignedOut()
  if (response.status === 403 && isJSON(response)) throw new MissingWorkspaceError()
  const isChange = operation.query.startsWith('mutation')
  const answer = await answerOf(response)
  if (!answer || !('data' in answer) || answer.data === null)
    throw new FailedOperation(response, answer?.errors ?? [], isChange)
  return answer
}

/**
 * Opens the sign-in page when the person returns to this page after the session has ended. On a page without a script,
 * such as `/account`, a sign-out cannot tell the other tabs. Returns a function that ends the checks.
 */
export function leaveIfSignedOut(workspaceID: string): () => void {
  const ended = new AbortController()
  const check = () => {
    if (document.visibilityState !== 'hidden') leaveIfRefused(workspaceID)
  }
  for (const event of ['visibilitychange', 'focus']) addEventListener(event, check, { signal: ended.signal })
  return () => ended.abort()
}

/** Opens the sign-in page if the session has ended. Loads this page again if the person has left the workspace. */
export function leaveIfRefused(workspaceID: string): void {
  if (isSigningOut()) return
  post(workspaceID, { query: '{ viewer { user { id } } }', variables: {} }).catch((error) => {
    if (error instanceof MissingWorkspaceError) location.reload()
  })
}

/** Returns the JSON of a response. A proxy may answer with an HTML page, for example while the service restarts. */
async function answerOf(response: Response): Promise<(GraphQLResponse & { errors?: object[] }) | undefined> {
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isJSON({ headers }: Response): boolean {
  return /\bjson\b/.test(headers.get('content-type') ?? '')
}
