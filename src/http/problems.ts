import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, toAppError } from '../errors.ts'
import { logRequestFailure } from './outages.ts'
import { card, sendPage } from './pages/html-page.ts'
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
    title: error.title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestID,
    ...(error.reason && { reason: error.reason }),
    ...(error.errors.length > 0 && { errors: error.errors }),
  }
}

/** Masks an unknown error, logs a failure with a status of 500 or more, and sets `Retry-After`. */
export function prepareFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): AppError {
  const known = toAppError(error, request)
  addToLog(request, { code: known.code })
  if (known.status >= 500) logRequestFailure(request, error)
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  return known
}

/** Answers any failure with problem details. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return writeProblem(prepareFailure(error, request, reply), request, reply)
}

/** Answers with problem details, and logs nothing. */
export function writeProblem(problem: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemOf(problem, request.id, request.server)))
}

export const notFoundAtURL = new AppError('not_found', 'Nothing exists at this URL.')

/** Answers a request for a URL at which nothing exists: a browser with a page, a program with problem details. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, headers } = request
  reply.header('vary', 'Accept')
  const isBrowser = /\btext\/html\b/i.test(headers.accept ?? '') && !/json/i.test(headers.accept ?? '')
  if (!isBrowser || !['GET', 'HEAD'].includes(method)) return sendProblem(notFoundAtURL, request, reply)
  addToLog(request, { code: notFoundAtURL.code })
  return sendPage(reply.code(notFoundAtURL.status), {
    title: 'Page not found',
    body: card(`<h1>Page not found</h1>
<p>Nothing exists at this address.</p>
<p><a href="/">Go to the start page</a></p>
`),
  })
}
