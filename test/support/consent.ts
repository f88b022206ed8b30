import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../src/apps/create-app.ts'
import type { Context } from '../../src/context.ts'
import { postForm, sameOrigin } from './browser-session.ts'
import { makeWorld, redirectURI, requestToken, type World } from './factories.ts'
import { type Service, startService } from './service.ts'
import { signedIn } from './signed-in.ts'

/** The verifier of the challenge that `parametersFor` sends. */
export const verifier = 'a-code-verifier-of-the-tests-0123456789-abcdefgh'
export const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** An app as an OAuth client. A public app has no secret. */
export type ClientApp = { id: string; clientSecret: string | null; userID: string }

export async function makeClient(
  { operator, workspaceID }: { operator: Context; workspaceID: string },
  more: Partial<Parameters<typeof createApp>[1]> = {},
): Promise<ClientApp> {
  const input = { workspaceID, name: 'Robot', redirectURIs: [redirectURI], ...more }
  const { app, installation, clientSecret } = await createApp(operator, input)
  return { id: app.id, clientSecret, userID: installation.userID }
}

/** A person who is signed in, with the workspace that they choose. */
export type Consenter = { cookie: string; workspaceID: string }

/** Creates a person of a world, and signs in the person. */
export async function makeConsenter(service: Service, world: World, role: 'admin' | 'member' = 'admin') {
  return { ...(await signedIn(service, world, role)), workspaceID: world.workspaceID }
}

/** Starts a service. In its world, an admin is signed in, and an app with a secret and a public app are installed. */
export async function startWithApps() {
  const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
  const world = await makeWorld(service)
  const admin = await makeConsenter(service, world)
  const robot = await makeClient(world)
  const mobile = await makeClient(world, { name: 'Mobile', isPublic: true })
  return { service, world, admin, robot, mobile }
}

type Values = Record<string, string | undefined>

/** Returns the parameters of an authorization request. A parameter that is undefined is left out. */
export function parametersFor({ id }: { id: string }, more: Values = {}): Record<string, string> {
  const all = {
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectURI,
    state: 'the state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...more,
  }
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

export function authorizePath(parameters: Record<string, string>): string {
  return `/oauth/authorize?${new URLSearchParams(parameters)}`
}

/** Opens the authorization endpoint as a browser does. */
export function openConsent(
  { app }: Service,
  parameters: Record<string, string>,
  { cookie }: { cookie?: string } = {},
) {
  return app.inject({ url: authorizePath(parameters), headers: cookie === undefined ? {} : { cookie } })
}

/** Returns the hidden fields of a page. */
export function hiddenFields(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function unescaped(text: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => characters[name] ?? '')
}

/** Returns the form that Allow sends. `more` replaces fields. */
export async function consentForm(
  service: Service,
  { cookie, workspaceID }: Consenter,
  parameters: Record<string, string>,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const page = await openConsent(service, parameters, { cookie })
  expect(page.statusCode).toBe(200)
  return { ...hiddenFields(page.body), workspace: workspaceID, decision: 'allow', ...more }
}

/** Sends the form of the consent page as a browser does. */
export function sendConsent(service: Service, { cookie }: { cookie: string }, form: Record<string, string>) {
  return postForm(service, '/oauth/authorize', form, { cookie, ...sameOrigin })
}

/** Opens the consent page and presses Allow. `more` replaces fields of the form. */
export async function decide(
  service: Service,
  person: Consenter,
  parameters: Record<string, string>,
  more: Record<string, string> = {},
) {
  return sendConsent(service, person, await consentForm(service, person, parameters, more))
}

/** Returns the URL of the app to which an answer sends the browser. */
export function destination({ statusCode, headers }: Awaited<ReturnType<typeof postForm>>): URL {
  expect([statusCode, headers.location]).toEqual([303, expect.any(String)])
  return new URL(String(headers.location))
}

/** Allows access, and returns the code. */
export async function codeFrom(
  service: Service,
  person: Consenter,
  app: { id: string },
  more: Values = {},
): Promise<string> {
  const url = destination(await decide(service, person, parametersFor(app, more)))
  return url.searchParams.get('code') ?? ''
}

type Credentials = Pick<ClientApp, 'id' | 'clientSecret'>

/** Returns the fields with which an app identifies itself. */
export function identity({ id, clientSecret }: Credentials): Record<string, string> {
  return { client_id: id, ...(clientSecret !== null && { client_secret: clientSecret }) }
}

/** Exchanges a code for tokens. An empty field is left out. */
export function exchange(
  service: Service,
  app: Credentials,
  code: string,
  more: Record<string, string> = {},
) {
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectURI, code_verifier: verifier }
  return requestToken(service, { ...grant, ...identity(app), ...more })
}

export function refresh(
  service: Service,
  app: Credentials,
  token: string,
  more: Record<string, string> = {},
) {
  const grant = { grant_type: 'refresh_token', refresh_token: token }
  return requestToken(service, { ...grant, ...identity(app), ...more })
}

export type Tokens = Record<'user_id' | 'workspace_id' | 'access_token' | 'refresh_token' | 'scope', string>

/** Gets a code and exchanges it. Returns the tokens. */
export async function tokensFrom(
  service: Service,
  person: Consenter,
  app: ClientApp,
  more: Values = {},
): Promise<Tokens> {
  const answer = await exchange(service, app, await codeFrom(service, person, app, more))
  expect([answer.statusCode, answer.json().error_description]).toEqual([200, undefined])
  return answer.json()
}

/** Returns the ID of the user that a token acts as, or undefined if the token is refused. */
export async function userOfToken(service: Service, token: string): Promise<string | undefined> {
  const { data } = await service.graphql(token, '{ me { id } }')
  return data?.me?.id
}

/** Sends a form to an OAuth endpoint as an app. */
export function postAs(
  service: Service,
  path: '/oauth/revoke' | '/oauth/introspect',
  app: Credentials,
  fields: Record<string, string>,
) {
  return postForm(service, path, { ...identity(app), ...fields }, {})
}

/** What `errorOf` returns for a code or a refresh token that is not valid. */
export const invalidGrant = [400, 'invalid_grant']

/** Returns the status and the error code of a token response. */
export function errorOf(answer: Awaited<ReturnType<typeof requestToken>>): [number, string | undefined] {
  return [answer.statusCode, answer.json().error]
}
