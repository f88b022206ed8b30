import type { FastifyReply, FastifyRequest } from 'fastify'
import { findTokenActor, isKnownToken } from '../apps/access-tokens.ts'
import { type Actor, type Context, callerKey } from '../context.ts'
import { AppError } from '../errors.ts'
import type { Guesses } from '../http/guesses.ts'
import { addToLog, type LogFields } from '../http/request-log.ts'
import { hashSecret, secretMatches } from '../platform/secrets.ts'
import { databaseUntil } from '../platform/until.ts'

type Shared = Omit<Context, 'actor' | 'log' | 'signal'>

/**
 * Makes the context of a request from its bearer token (RFC 6750 2.1); its database is good until the signal aborts. It
 * throws `unauthenticated`.
 */
export function contextFrom(
  shared: Shared,
  guesses: Guesses,
): (request: FastifyRequest, signal: AbortSignal, reply: FastifyReply) => Promise<Context> {
  const operatorHash = hashSecret(shared.config.operatorToken)
  const findActor = (request: FastifyRequest, reply: FastifyReply, token: string) => {
    const lookUp = () => findTokenActor(shared.db, token)
    return isKnownToken(token)
      ? lookUp()
      : guesses.check(request, reply, { kind: 'token', secret: token }, lookUp)
  }
  return async (request, signal, reply) => {
    const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined)
      throw new AppError('unauthenticated', 'Send an access token: Authorization: Bearer <token>.')
    const actor: Actor | undefined = secretMatches(token, operatorHash)
      ? { kind: 'operator' }
      : await findActor(request, reply, token)
    if (!actor)
      throw new AppError(
        'unauthenticated',
        'The access token is unknown, expired or revoked. Ask for a new one.',
      )
    addToLog(request, fieldsOf(actor))
    const db = databaseUntil(shared.db, signal, callerKey(actor))
    return { ...shared, db, actor, log: request.log, signal }
  }
}

function fieldsOf(actor: Actor): LogFields {
  if (actor.kind === 'operator') return { operator: true }
  const { appID, workspaceID } = actor
  return { ...(appID !== undefined && { appID }), workspaceID }
}
