import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findSignInLink, signInPath } from '../accounts/links/sign-in-links.ts'
import { hashNewPassword } from '../accounts/passwords/set-password.ts'
import type { ActiveSession } from '../accounts/sessions/session.ts'
import { offeredProvider, requireSignInMethod } from '../accounts/sign-in-methods.ts'
import { findAccountID } from '../accounts/verified-account.ts'
import type { Config } from '../config.ts'
import { AppError, type FieldError, invalidField } from '../errors.ts'
import { allowOnly } from '../http/allow-only.ts'
import { addToLog } from '../http/request-log.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { name, parseInput } from '../input.ts'
import { canSignInAgain, invitedPerson } from '../users/accounts/invited-person.ts'
import { acceptInvitation, type NewMember, signInByLink } from '../users/accounts/sign-in.ts'
import { limitAddress, refundIfUnavailable, refusing } from './attempts.ts'
import { redirectSignedIn } from './continue.ts'
import { countSignIn } from './count-sign-ins.ts'
import { callerOf, currentSession, replaceSession } from './current-session.ts'
import { formRoute, optionalField } from './forms.ts'
import { linkView, type OpenedLink, passwordFieldFor } from './link-view.ts'
import { type SignInParts, sendForms } from './page.ts'

const path = '/signin/link/:code'
type Request = FastifyRequest<{ Params: { code: string } }>

/** Serves sign-in links and invitations. Only the form redeems a link, because mail scanners also open links. */
export function linkPage(app: FastifyInstance, parts: SignInParts): void {
  const { db, config, rateLimits } = parts
  allowOnly(app, path, ['GET', 'HEAD', 'POST'])
  app.get(path, { exposeHeadRoute: true }, async (request: Request, reply) => {
    const forget = await limitAddress(rateLimits, config, request, reply)
    const link = await openLink(parts, request, await currentSession(db, request))
    await forget()
    return send(reply, link)
  })
  app.post(path, formRoute, async (request: Request, reply) => {
    requireSameOrigin(request)
    const forget = await limitAddress(rateLimits, config, request, reply)
    const session = await currentSession(db, request)
    const link = await openLink(parts, request, session).catch(refusing(parts, request, 'link'))
    const accountID = await findAccountID(db, link.target.email)
    addToLog(request, { accountID })
    const member = await newMember(callerOf(parts, request), link, request)
      .catch(refundIfUnavailable(forget))
      .catch(invalidFieldOf)
    if ('message' in member) return send(reply.code(400), link, member)
    await countSignIn('link', () => redeem(parts, request, reply, { session, member })).catch(
      refusing(parts, request, 'link', accountID),
    )
    await forget()
    return redirectSignedIn(reply)
  })
}

function send(reply: FastifyReply, link: OpenedLink, problem?: FieldError): FastifyReply {
  const title = link.joining ? `Join ${link.joining.workspace}` : 'Sign in'
  return sendForms(reply, title, linkView(link, problem))
}

/** Throws if the link does not work. */
async function openLink(
  { db, config }: SignInParts,
  { params, body }: Request,
  session: ActiveSession | undefined,
): Promise<OpenedLink> {
  const target = await findSignInLink(db, params.code)
  const link = { target, current: session?.email }
  if (target.workspaceID === null) requireSignInMethod(config, 'link')
  const person = await invitedPerson(db, target)
  if (!person) return link
  const workspace = await db.workspace.findUniqueOrThrow({ where: { id: person.workspaceID } })
  const canSignIn = await canSignInAgain(db, target, session)
  const password = canSignIn ? undefined : passwordFieldFor(config)
  const { name: known, inviterName } = person
  const name = optionalField(body, 'name') ?? known
  // Without sign-in links, an invitation signs in nobody who does not choose a password.
  const isSignedIn = session?.email === target.email
  const signInFirst =
    config.signInMethods.includes('link') || isSignedIn || password
      ? undefined
      : signInFor(config, signInPath(params.code))
  return { ...link, joining: { workspace: workspace.name, inviterName, name, password, signInFirst } }
}

function signInFor(config: Config, path: string): { url: string; label: string } {
  const wanted = `prompt=select_account&continue=${encodeURIComponent(path)}`
  const provider = offeredProvider(config)
  return provider === undefined || config.signInMethods.includes('password')
    ? { url: `/signin?${wanted}`, label: 'Sign in' }
    : { url: `/signin/oidc?${wanted}`, label: `Sign in with ${provider}` }
}

const fields = z.object({ name })

/** Returns what the person has entered. Throws if it is not valid. */
async function newMember(
  caller: ReturnType<typeof callerOf>,
  { target, joining }: OpenedLink,
  { body }: Request,
): Promise<NewMember> {
  if (!joining) return {}
  const { name } = parseInput(fields, joining)
  const password = joining.password && optionalField(body, 'password')
  if (password !== undefined)
    return { name, passwordHash: await hashNewPassword(caller, password, target.email) }
  if (joining.password?.isRequired) throw invalidField('password', 'is required')
  return { name }
}

function invalidFieldOf(error: unknown): FieldError {
  const [problem] = error instanceof AppError ? error.errors : []
  if (!problem) throw error
  return problem
}

async function redeem(
  parts: SignInParts,
  request: Request,
  reply: FastifyReply,
  { session, member }: { session: ActiveSession | undefined; member: NewMember },
): Promise<true> {
  const { code } = request.params
  const caller = callerOf(parts, request)
  if (session && (await acceptInvitation(caller, code, session, member.name))) return true
  const token = await signInByLink(caller, code, member)
  await replaceSession(parts, request, reply, token)
  return true
}
