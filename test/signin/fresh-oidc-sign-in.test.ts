import { afterEach, describe, expect, test } from 'vitest'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs } from '../support/browser-session.ts'
import { makeWorld } from '../support/factories.ts'
import { client, startIdentityProvider, visitProvider } from '../support/identity-provider.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const baseURL = 'http://localhost:3000'
const callback = `${baseURL}/signin/oidc/callback`
const provider = await startIdentityProvider(callback)
const service = await startService({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_LABEL: 'Example',
  SIGN_IN_METHODS: 'oidc',
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
})
const { operator, workspaceID } = await makeWorld(service)

afterEach(() => {
  provider.forgery = undefined
})

let number = 0
/** A new person, and a browser that is not signed in at the provider yet. */
async function newPerson() {
  number += 1
  const email = `fresh${number}@example.com`
  await createPerson(operator, { workspaceID, name: 'Person', email })
  return { claims: { sub: `fresh-${number}`, email, email_verified: true }, jar: new Map<string, string>() }
}

/** Signs in at the provider, and returns what the browser was sent there with, the answer of the callback and its cookie. */
async function signIn({ claims, jar }: Awaited<ReturnType<typeof newPerson>>, url = '/signin/oidc') {
  provider.person = claims
  const begun = await service.app.inject(url)
  const sent = new URL(String(begun.headers.location))
  const back = await visitProvider(sent.href, callback, jar)
  const headers = { cookie: begun.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }
  const answer = await service.app.inject({ url: back.slice(baseURL.length), headers })
  const session = answer.cookies.find(({ name }) => name === 'skein-session')?.value
  return { sent: Object.fromEntries(sent.searchParams), answer, cookie: `skein-session=${session}` }
}

/** Returns the reason why a session cannot create a personal access token, or undefined if it can. */
async function refusalOf({ cookie }: { cookie: string }) {
  const input = { name: 'T', scopes: ['workspaces:read'], expiresInDays: 1 }
  const query = mutation('createPersonalAccessToken', 'accessToken')
  const { data, errors } = await graphqlAs(service, { cookie, workspaceID }, query, { input })
  return data?.createPersonalAccessToken?.accessToken ? undefined : errors?.[0]?.extensions.reason
}

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const again = '/signin/oidc?prompt=login'

describe('a sign-in with OpenID Connect', () => {
  test('is not fresh if the provider does not say when the person signed in there', async () => {
    const person = await newPerson()
    const first = await signIn(person)
    expect([first.answer.statusCode, await refusalOf(first)]).toEqual([303, 'SIGN_IN_TOO_OLD'])
    // The person is signed in at the provider now, which lets the browser pass.
    expect(await refusalOf(await signIn(person))).toBe('SIGN_IN_TOO_OLD')
  })

  test.each([
    [14 * 60, undefined],
    [16 * 60, 'SIGN_IN_TOO_OLD'],
    [-60, undefined],
  ])('is as old as the sign-in at the provider %d s ago', async (age, refusal) => {
    provider.forgery = { claims: { auth_time: secondsAgo(age) } }
    expect(await refusalOf(await signIn(await newPerson()))).toBe(refusal)
  })

  test('is fresh if the provider was asked to sign the person in again', async () => {
    const person = await newPerson()
    await signIn(person)
    const second = await signIn(person, again)
    expect(second.sent).toMatchObject({ prompt: 'login', max_age: '900' })
    expect(await refusalOf(second)).toBeUndefined()
  })

  test('is asked for again without an age if only the account can be another one', async () => {
    const { sent, answer } = await signIn(await newPerson(), '/signin/oidc?prompt=select_account')
    expect([sent.prompt, sent.max_age, answer.statusCode]).toEqual(['login', undefined, 303])
  })

  test('keeps the prompt of the sign-in page', async () => {
    const { cookie } = await signIn(await newPerson())
    for (const prompt of ['login', 'select_account']) {
      const { body } = await service.app.inject({ url: `/signin?prompt=${prompt}`, headers: { cookie } })
      expect(body).toContain(`href="/signin/oidc?prompt=${prompt}"`)
    }
    const other = await service.app.inject({ url: '/signin?prompt=none', headers: { cookie } })
    expect(other.statusCode).toBe(303)
  })
})

describe('a sign-in again with OpenID Connect', () => {
  test('fails with 503 if the provider does not say when the person signed in', async () => {
    provider.forgery = { claims: { auth_time: undefined } }
    const { answer, cookie } = await signIn(await newPerson(), again)
    expect([answer.statusCode, cookie]).toEqual([503, 'skein-session=undefined'])
    expect(answer.body).toContain('Example did not say when you signed in there.')
    expect(answer.body).toContain('the claim auth_time')
  })

  test('is refused if the provider did not ask the person', async () => {
    provider.forgery = { claims: { auth_time: secondsAgo(60 * 60) } }
    const { answer, cookie } = await signIn(await newPerson(), again)
    expect([answer.statusCode, cookie]).toEqual([403, 'skein-session=undefined'])
    expect(answer.body).toContain('Example did not ask you to sign in again.')
  })

  test('cannot pretend in its cookie to be a first one, and be fresh', async () => {
    const person = await newPerson()
    await signIn(person)
    provider.person = person.claims
    provider.forgery = { claims: { auth_time: undefined } }
    const begun = await service.app.inject(again)
    const back = await visitProvider(String(begun.headers.location), callback, person.jar)
    const [{ name, value } = { name: '', value: '' }] = begun.cookies
    const headers = { cookie: `${name}=${value.replace(/login$/, '')}` }
    const answer = await service.app.inject({ url: back.slice(baseURL.length), headers })
    const session = answer.cookies.find((cookie) => cookie.name === 'skein-session')?.value
    expect(await refusalOf({ cookie: `skein-session=${session}` })).toBe('SIGN_IN_TOO_OLD')
  })
})
