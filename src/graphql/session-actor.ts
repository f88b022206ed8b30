import type { FastifyRequest } from 'fastify'
import { findSession } from '../accounts/sessions/session.ts'
import type { UserActor } from '../context.ts'
import type { Database } from '../database/database.ts'
import { AppError, invalidField } from '../errors.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { scopes } from '../scopes.ts'
import { findPersonOf } from '../users/accounts/link-people.ts'

const header = 'Skein-Workspace'

/** Returns the person of a signed-in account in the workspace that the header names, with all scopes. */
export async function sessionActor(db: Database, request: FastifyRequest, token: string): Promise<UserActor> {
  // Another site can make a browser send a GET with the cookie.
  if (request.method === 'GET')
    throw new AppError('forbidden', 'A request with a session cookie must be a POST with a JSON body.')
  requireSameOrigin(request)
  const session = await findSession(db, token)
  if (!session) throw new AppError('unauthenticated', 'The session has ended. Sign in again.')
  const workspaceID = request.headers[header.toLowerCase()]
  if (typeof workspaceID !== 'string')
    throw invalidField(
      header,
      'must be the ID of a workspace, because an account can be in several workspaces',
    )
  const { id, accountID } = session
  const userID = await findPersonOf(db, workspaceID, accountID)
  if (userID === undefined)
    throw new AppError('forbidden', `You are not in the workspace that the header ${header} names.`)
  return { kind: 'user', workspaceID, userID, scopes: new Set(scopes), session: { id, accountID } }
}
