import type { FastifyInstance, FastifyReply } from 'fastify'
import { grantAccess } from '../../apps/grants/grant-access.ts'
import { grantableWorkspaces } from '../../apps/grants/grantable.ts'
import { AppError } from '../../errors.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { addToLog } from '../../http/request-log.ts'
import { requireSameOrigin } from '../../http/same-origin.ts'
import { continueLater } from '../continue.ts'
import { currentSession } from '../current-session.ts'
import { field, formRoute } from '../forms.ts'
import { sendForms } from '../page.ts'
import type { SignInParts } from '../parts.ts'
import {
  AuthorizationError,
  type AuthorizationRequest,
  parametersOf,
  type RedirectTarget,
  readAuthorization,
} from './authorization-request.ts'
import { consentPage } from './consent-page.ts'

const path = '/oauth/authorize'

/** Serves the authorization endpoint (RFC 6749 3.1): the page on which people grant apps access. */
export function authorizePage(app: FastifyInstance, { db, config }: SignInParts): void {
  /** Sends the browser back to the app. The parameter `iss` protects the app from mix-up attacks (RFC 9207). */
  const redirect = (
    reply: FastifyReply,
    { redirectURI, state }: RedirectTarget,
    result: Record<string, string>,
  ) => {
    const url = new URL(redirectURI)
    const all = { ...result, ...(state !== undefined && { state }), iss: config.baseURL }
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value)
    // With 307, the browser would send the form to the app (RFC 9700 4.12).
    return reply.redirect(url.href, 303)
  }

  /** Reads a request. Answers with a redirect, and returns undefined, if the app must be told about an error. */
  const readOrRedirect = async (reply: FastifyReply, values: unknown) => {
    const parameters = parametersOf(values)
    const request = await readAuthorization(db, parameters).catch((error: unknown) => {
      if (!(error instanceof AuthorizationError)) throw error
      addToLog(reply.request, { code: error.code })
      redirect(reply, error.target, { error: error.code, error_description: error.message })
      return undefined
    })
    return request && { request, parameters }
  }

  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const read = await readOrRedirect(reply, request.query)
    if (!read) return reply
    const session = await currentSession(db, request)
    if (!session) {
      continueLater(reply, `${path}?${new URLSearchParams(read.parameters)}`)
      return reply.redirect('/signin', 303)
    }
    const { app, actsAsUser } = read.request
    const workspaces = await grantableWorkspaces(db, app, { accountID: session.accountID, actsAsUser })
    // Browsers apply the policy also to the redirect that follows the form.
    const { origin, protocol } = new URL(read.request.redirectURI)
    const formAction = `'self' ${origin === 'null' ? protocol : origin}`
    return sendForms(reply, app.name, consentPage({ ...read, workspaces, session }), { formAction })
  })
  app.post(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const read = await readOrRedirect(reply, request.body)
    if (!read) return reply
    const session = await currentSession(db, request)
    if (session?.accountID !== field(request.body, 'account'))
      throw new AppError('forbidden', 'You have signed in as somebody else since. Start again in the app.')
    if (field(request.body, 'decision') !== 'allow')
      return redirect(reply, read.request, {
        error: 'access_denied',
        error_description: 'The person did not allow access.',
      })
    const code = await grantAccess(db, read.request.app, {
      ...consentOf(read.request),
      accountID: session.accountID,
      workspaceID: field(request.body, 'workspace'),
    })
    return redirect(reply, read.request, { code })
  })
}

function consentOf({ scopes, actsAsUser, redirectURI, codeChallenge }: AuthorizationRequest) {
  return { scopes, actsAsUser, redirectURI, codeChallenge }
}
