import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Throws unless a page of this service sent the request. Browsers report this in Sec-Fetch-Site. Over plain http, they
 * send only Origin. Requests that use a cookie need this check, because other sites can make a browser send them.
 */
export function requireSameOrigin({ headers, server }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined ? headers.origin === new URL(server.baseURL).origin : site === 'same-origin'
  if (!isOwn)
    throw new AppError(
      'forbidden',
      `A request with a session cookie must come from a page of ${server.baseURL}. Programs use an access token.`,
    )
}
