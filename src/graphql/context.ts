import type { FastifyRequest } from 'fastify'
import { findTokenActor } from '../apps/tokens/access-tokens.ts'
import { type Actor, type Context, callerKey } from '../context.ts'
import { AppError } from '../errors.ts'
import { addToLog, type LogFields } from '../http/request-log.ts'
import { sessionToken } from '../http/session-cookie.ts'
import { databaseForRequest } from '../platform/request-database.ts'
import { hashSecret, secretMatches } from '../platform/secrets.ts'
import { findPersonalActor } from '../users/tokens/find-personal-actor.ts'
import { sessionActor } from './session-actor.ts'

type Shared = Omit<Context, 'actor' | 'log' | 'signal'>

/**
 * Creates contexts from bearer tokens (RFC 6750 2.1) and session cookies. The database of a context works until the
 * signal aborts.
 */
export function contextFrom(
  shared: Shared,
): (request: FastifyRequest, signal: AbortSignal) => Promise<Context> {
  const operatorHash = hashSecret(shared.config.operatorToken)
  const bearerOf = async (token: string | undefined): Promise<Actor> => {
    if (token === undefined)
      throw new AppError(
        'unauthenticated',
        'An access token is required. Send the header Authorization: Bearer <token>.',
      )
    // Wrong tokens are not rate-limited: a token of 256 bits cannot be guessed, look-ups are batched, and a limit would
    // lock out valid callers at the same address.
    if (secretMatches(token, operatorHash)) return { kind: 'operator' }
    const actor = (await findTokenActor(shared.db, token)) ?? (await findPersonalActor(shared.db, token))
    if (actor) return actor
    throw new AppError(
      'unauthenticated',
      'The access token is unknown, expired or revoked. Request a new one.',
    )
  }
  return async (request, signal) => {
    const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1]
    const cookie = request.headers.authorization === undefined ? sessionToken(request) : undefined
    const actor =
      cookie === undefined ? await bearerOf(token) : await sessionActor(shared.db, request, cookie)
    addToLog(request, fieldsOf(actor))
    const db = databaseForRequest(shared.db, signal, callerKey(actor))
    return { ...shared, db, actor, log: request.log, signal }
  }
}

function fieldsOf(actor: Actor): LogFields {
  if (actor.kind === 'operator') return { operator: true }
  const { appID, workspaceID } = actor
  return { ...(appID !== undefined && { appID }), workspaceID }
}
