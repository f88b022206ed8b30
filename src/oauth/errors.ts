import type { FastifyReply, FastifyRequest } from 'fastify'
import { toAppError } from '../errors.ts'
import { logRequestFailure } from '../http/outages.ts'
import { addToLog } from '../http/request-log.ts'

// The codes of RFC 6749 5.2, and codes of 4.1.2.1 for failures that 5.2 does not cover.
const statusOf = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  server_error: 500,
  temporarily_unavailable: 503,
} as const

export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: keyof typeof statusOf

  constructor(code: keyof typeof statusOf, description: string) {
    super(description)
    this.code = code
  }
}

/** Renders any error in the format of RFC 6749 5.2. */
export function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) return send(reply, statusOf[error.code], error.code, error.message)
  const known = toAppError(error, request)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  if (known.code === 'unsupported_media_type') {
    return send(reply, 400, 'invalid_request', 'The body must be a form (application/x-www-form-urlencoded).')
  }
  if (known.status < 500) {
    const code = known.code === 'rate_limited' ? 'temporarily_unavailable' : 'invalid_request'
    return send(reply, known.status, code, known.message)
  }
  logRequestFailure(request, error, 'the OAuth request failed')
  const code = known.code === 'internal' ? 'server_error' : 'temporarily_unavailable'
  return send(reply, known.status, code, known.message)
}

function send(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  addToLog(reply.request, { code: error })
  if (status === 401) reply.header('www-authenticate', 'Basic realm="skein", charset="UTF-8"')
  return reply.code(status).send({ error, error_description: description })
}
