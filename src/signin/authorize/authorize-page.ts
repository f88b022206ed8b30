import type { FastifyInstance, FastifyReply } from 'fastify'
import { endSession } from '../../accounts/sessions/session.ts'
import { grantAccess } from '../../apps/grants/grant-access.ts'
import { type GrantableWorkspace, grantableWorkspaces } from '../../apps/grants/grantable.ts'
import { AppError } from '../../errors.ts'
import { avatarLinkURL } from '../../files/links.ts'
import { allowOnly } from '../../http/allow-only.ts'
import { addToLog } from '../../http/request-log.ts'
import { requireSameOrigin } from '../../http/same-origin.ts'
import { clearSessionCookie } from '../../http/session-cookie.ts'
import { continueLater, isTooOld } from '../continue.ts'
import { callerOf, currentSession } from '../current-session.ts'
import { field, formRoute } from '../forms.ts'
import { type SignInParts, sendForms } from '../page.ts'
import {
  AuthorizationError,
  type AuthorizationRequest,
  parametersOf,
  type RedirectTarget,
  readAuthorization,
} from './authorization-request.ts'
import { consentHeader, consentPage } from './consent-page.ts'

const path = '/oauth/authorize'

/** Serves the authorization endpoint (RFC 6749 3.1): the page on which people grant apps access. */
export function authorizePage(app: FastifyInstance, parts: SignInParts): void {
  const { db, config } = parts
  /** Sends the browser back to the app. The parameter `iss` protects the app from mix-up attacks (RFC 9207). */
  const redirect = (
    reply: FastifyReply,
    { redirectURI, state }: RedirectTarget,
    result: Record<string, string>,
  ) => {
    const url = new URL(redirectURI)
    const added = new URLSearchParams({
      ...result,
      ...(state !== undefined && { state }),
      iss: config.baseURL,
    })
    // URL.searchParams would encode the query of the redirect URI again, but it must stay the same (RFC 6749 3.1.2).
    url.search = url.search === '' ? `${added}` : `${url.search}&${added}`
    // With 307, the browser would send the form to the app (RFC 9700 4.12).
    return reply.header('cache-control', 'no-store').redirect(url.href, 303)
  }

  const redirectError = (reply: FastifyReply, { code, message, target }: AuthorizationError) => {
    addToLog(reply.request, { code })
    return redirect(reply, target, { error: code, error_description: message })
  }

  const signInFirst = (reply: FastifyReply, url: string, page = '/signin') => {
    continueLater(reply, url)
    return reply.redirect(page, 303)
  }

  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const parameters = parametersOf(request.query)
    const read = await readAuthorization(db, parameters)
    const session = await currentSession(db, request)
    // Without a session, a link to this service must not lead to another site, even with an error (RFC 9700 4.11.2).
    if (!session) return signInFirst(reply, request.url)
    if (read instanceof AuthorizationError) return redirectError(reply, read)
    const { app, actsAsUser, redirectURI } = read
    const workspaces = await grantableWorkspaces(db, app, { accountID: session.accountID, actsAsUser })
    // Browsers also apply form-action to the redirects after the form, and the app can redirect to other hosts.
    const formAction = `'self' ${new URL(redirectURI).protocol}`
    const header = consentHeader(pictureOf(config, app, workspaces))
    const page = consentPage({ request: read, parameters, workspaces, session })
    return sendForms(reply, app.name, page, { formAction, header })
  })
  app.post(path, formRoute, async (request, reply) => {
    requireSameOrigin(request)
    const parameters = parametersOf(request.body)
    const read = await readAuthorization(db, parameters)
    const session = await currentSession(db, request)
    if (!session) throw new AppError('forbidden', 'Your session has ended. Start again in the app.')
    if (session.accountID !== field(request.body, 'account'))
      throw new AppError(
        'forbidden',
        'You have signed in with another account after you opened this page. Start again in the app.',
      )
    if (read instanceof AuthorizationError) return redirectError(reply, read)
    const decision = field(request.body, 'decision')
    if (decision === 'switch') {
      await endSession(callerOf(parts, request), session, session.id)
      clearSessionCookie(reply)
      return signInFirst(reply, `${path}?${new URLSearchParams(parameters)}`)
    }
    if (decision !== 'allow')
      return redirect(reply, read, {
        error: 'access_denied',
        error_description: 'The person did not allow access.',
      })
    const consent = { ...consentOf(read), session, workspaceID: field(request.body, 'workspace') }
    try {
      return redirect(reply, read, { code: await grantAccess(callerOf(parts, request), read.app, consent) })
    } catch (error) {
      if (!isTooOld(error)) throw error
      return signInFirst(reply, `${path}?${new URLSearchParams(parameters)}`, '/signin?prompt=login')
    }
  })
}

/** Returns the picture of an app, or null if it has none or the person is not in the workspace of the app. */
function pictureOf(
  config: SignInParts['config'],
  { workspaceID, avatarFileID: fileID }: AuthorizationRequest['app'],
  workspaces: readonly GrantableWorkspace[],
): string | null {
  const userID = workspaces.find((workspace) => workspace.workspaceID === workspaceID)?.userID
  return fileID === null || userID === undefined
    ? null
    : avatarLinkURL({ config }, { workspaceID, userID, fileID })
}

function consentOf({ scopes, actsAsUser, redirectURI, codeChallenge }: AuthorizationRequest) {
  return { scopes, actsAsUser, redirectURI, codeChallenge }
}
