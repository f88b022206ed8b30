import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AppError, titleOf, toAppError } from '../errors.ts'
import { addToLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    baseURL: string
  }
}

/** Returns a failure as problem details (RFC 9457), with the extensions `code`, `requestID`, `reason` and `errors`. */
export function problemOf(error: AppError, requestID: string, { baseURL }: { baseURL: string }) {
  return {
    type: `${baseURL}/docs/errors#${error.code}`,
    title: titleOf[error.code],
    status: error.status,
    detail: error.message,
    code: error.code,
    requestID,
    ...(error.reason && { reason: error.reason }),
    ...(error.errors.length > 0 && { errors: error.errors }),
  }
}

/** Answers any failure with problem details. Masks unknown errors. Logs failures with a status of 500 or more. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toAppError(error, request)
  addToLog(request, { code: known.code })
  if (known.status >= 500) request.log.error({ err: error }, 'the request failed')
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  return reply
    .code(known.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(known, request.id, request.server)))
}
