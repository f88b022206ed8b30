import { findSession } from '../../accounts/sessions/session.ts'
import type { UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { AppError, invalidField } from '../../errors.ts'
import { scopes } from '../../scopes.ts'
import { findPersonOf } from '../../users/accounts/link-people.ts'
import { type SessionCredentials, workspaceHeader } from './credentials.ts'

/** Returns the person of a signed-in account in the workspace that the client names, with all scopes. */
export async function sessionActor(
  db: Database,
  { token, workspaceID, userID: expected }: SessionCredentials,
): Promise<UserActor> {
  const session = await findSession(db, token)
  if (!session) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
  if (workspaceID === undefined)
    throw invalidField(
      workspaceHeader,
      'must be the ID of a workspace, because an account can be in several workspaces',
    )
  const { id, accountID } = session
  const userID = await findPersonOf(db, workspaceID, accountID)
  if (userID === undefined)
    throw new AppError('forbidden', `You are not in the workspace that the header ${workspaceHeader} names.`)
  if (expected !== undefined && expected !== userID)
    throw new AppError(
      'unauthenticated',
      'Another person has signed in with this browser. Load the page again.',
    )
  return { kind: 'user', workspaceID, userID, scopes: new Set(scopes), session: { id, accountID } }
}
