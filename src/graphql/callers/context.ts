import type { FastifyRequest } from 'fastify'
import { firstTokenName, operatorTokenPrefix } from '../../accounts/operator-tokens/find-operator-token.ts'
import { findSession } from '../../accounts/sessions/session.ts'
import { findTokenActor } from '../../apps/tokens/access-tokens.ts'
import { type Actor, type Context, callerKey, type UserActor } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { AppError, invalidField } from '../../errors.ts'
import { addToLog, type LogFields } from '../../http/request-log.ts'
import { sourceOf } from '../../http/request-source.ts'
import { databaseForRequest } from '../../platform/request-database.ts'
import type { Signal } from '../../platform/request-signal.ts'
import { scopes } from '../../scopes.ts'
import { findPersonOf } from '../../users/accounts/link-people.ts'
import { personalTokenPrefix } from '../../users/tokens/create-personal-token.ts'
import { findPersonalActor } from '../../users/tokens/personal-tokens.ts'
import {
  type Credentials,
  headerCredentials,
  type SessionCredentials,
  workspaceHeader,
} from './credentials.ts'
import { operatorFinder, refuseOperator } from './operator.ts'

type Shared = Omit<Context, 'actor' | 'log' | 'signal'>

/** Creates a context from the credentials of a request. By default, the credentials are in its headers. */
export type ContextOf = (
  request: FastifyRequest,
  signal: Signal,
  credentials?: Credentials,
) => Promise<Context>

/** Creates contexts from bearer tokens (RFC 6750 2.1) and session cookies. */
export function contextFrom(shared: Shared): ContextOf {
  const operatorOf = operatorFinder(shared)
  return contextBy(shared, async ({ session }, token, request) => {
    const { db } = shared
    if (session) return sessionActor(db, session)
    if (token === undefined) throw missingToken('An access token')
    const operator = await operatorOf(token, request)
    if (operator) return operator
    if (token.startsWith(operatorTokenPrefix)) return refuseOperator(shared, request)
    if (token.startsWith(personalTokenPrefix)) return findPersonalActor(db, token)
    // Personal tokens from before the prefix look like access tokens. They expire after at most 366 days.
    return (await findTokenActor(db, token)) ?? findPersonalActor(db, token)
  })
}

/** Creates contexts of the operator. Refuses cookies, and all tokens except operator tokens. */
export function operatorContextFrom(shared: Shared): ContextOf {
  const operatorOf = operatorFinder(shared)
  return contextBy(shared, async (_credentials, token, request) => {
    if (token === undefined) throw missingToken('An operator token')
    const operator = await operatorOf(token, request)
    if (operator) return operator
    await refuseOperator(shared, request)
    throw new AppError(
      'unauthenticated',
      'This endpoint requires an operator token. The token is not an operator token, was revoked, or has expired.',
    )
  })
}

type FindActor = (
  credentials: Credentials,
  token: string | undefined,
  request: FastifyRequest,
) => Promise<Actor | undefined>

function contextBy({ db: sharedDB, config, storage }: Shared, findActor: FindActor): ContextOf {
  return async (request, signal, credentials = headerCredentials(request)) => {
    const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(credentials.authorization ?? '')?.[1]
    const actor = await findActor(credentials, token, request)
    // Wrong tokens are not rate-limited: a token of 256 bits cannot be guessed, look-ups are batched, and a limit would
    // lock out valid callers at the same address.
    if (!actor)
      throw new AppError(
        'unauthenticated',
        'The access token is unknown, expired or revoked. Request a new one.',
      )
    addToLog(request, fieldsOf(actor))
    const db = databaseForRequest(sharedDB, signal, callerKey(actor))
    return { db, actor, source: sourceOf(request), log: request.log, config, storage, signal }
  }
}

function missingToken(what: string): AppError {
  return new AppError(
    'unauthenticated',
    `${what} is required. Send the header Authorization: Bearer <token>.`,
  )
}

function fieldsOf(actor: Actor): LogFields {
  if (actor.kind === 'operator') return { operator: actor.tokenName ?? firstTokenName }
  const { appID, workspaceID, userID } = actor
  return { ...(appID !== undefined && { appID }), workspaceID, userID }
}

/** Returns the person of a signed-in account in the workspace that the client names, with all scopes. */
async function sessionActor(
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
  const { id, accountID, email } = session
  const userID = await findPersonOf(db, workspaceID, accountID)
  if (userID === undefined)
    throw new AppError('forbidden', `You are not in the workspace that the header ${workspaceHeader} names.`)
  if (expected !== undefined && expected !== userID)
    throw new AppError(
      'unauthenticated',
      'Another person has signed in with this browser. Load the page again.',
    )
  return { kind: 'user', workspaceID, userID, scopes: new Set(scopes), session: { id, accountID, email } }
}
