import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { requireSameOrigin } from '../../http/same-origin.ts'
import { sessionToken } from '../../http/session-cookie.ts'

export const workspaceHeader = 'Skein-Workspace'
export const userHeader = 'Skein-User'

/** The session token in the cookie, the workspace that the client names, and the person whom the client expects. */
export type SessionCredentials = {
  token: string
  workspaceID: string | undefined
  userID?: string | undefined
}

export type Credentials = { authorization?: string | undefined; session?: SessionCredentials | undefined }

/** Returns the credentials in the headers of a request. A cookie counts only without an Authorization header. */
export function headerCredentials(request: FastifyRequest): Credentials {
  const { authorization } = request.headers
  const token = authorization === undefined ? sessionToken(request) : undefined
  if (token === undefined) return { authorization }
  // A GET is refused, because another site can make a browser send a GET with the cookie.
  if (request.method === 'GET')
    throw new AppError('forbidden', 'A request with a session cookie must be a POST with a JSON body.')
  requireSameOrigin(request)
  const { headers } = request
  return {
    session: { token, workspaceID: textOf(headers, workspaceHeader), userID: textOf(headers, userHeader) },
  }
}

/** Reads the connection parameters, then the headers. A browser cannot set these headers, but sends the cookie. */
export function socketCredentials(request: FastifyRequest, params: Record<string, unknown>): Credentials {
  const authorization = textOf(params, 'Authorization') ?? request.headers.authorization
  const token = authorization === undefined ? sessionToken(request) : undefined
  if (token === undefined) return { authorization }
  requireSameOrigin(request)
  const workspaceID = textOf(params, workspaceHeader) ?? textOf(request.headers, workspaceHeader)
  return { session: { token, workspaceID } }
}

function textOf(fields: object, name: string): string | undefined {
  const found = Object.entries(fields).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return typeof found?.[1] === 'string' ? found[1] : undefined
}
