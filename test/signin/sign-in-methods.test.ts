import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/passwords/password-hash.ts'
import { storePassword } from '../../src/accounts/passwords/set-password.ts'
import { readConfig } from '../../src/config.ts'
import type { OpenedDatabase } from '../../src/database/database.ts'
import { createStarterWorkspace } from '../../src/starter/create-starter-workspace.ts'
import { welcome } from '../../src/starter/welcome.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, joiningPassword, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { testDatabase } from '../support/database.ts'
import { makeWorld } from '../support/factories.ts'
import { client, startIdentityProvider, visitProvider } from '../support/identity-provider.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutate, mutation } from '../support/mutations.ts'
import { operatorToken, type Service, startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'

const baseURL = 'http://localhost:3000'
const callback = `${baseURL}/signin/oidc/callback`
const mailServer = await startMailServer()
const provider = await startIdentityProvider(callback)
const settings = {
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'skein@example.com',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_LABEL: 'Example',
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
}
const all = await startService(settings)
const world = await makeWorld(all)
const { operator, workspaceID } = world
/** Starts a service with other methods on the same database. */
const withMethods = (methods: string) =>
  startService(
    { ...settings, SIGN_IN_METHODS: methods },
    { db: operator.db as OpenedDatabase['db'], close: async () => {} },
  )
const oidcOnly = await withMethods('oidc')

const off =
  /turned off on this service: its setting SIGN_IN_METHODS does not contain (&quot;|")(password|link|oidc)\1/

let number = 0
async function newPerson() {
  number += 1
  const email = `person${number}@example.com`
  const { id } = await createPerson(operator, { workspaceID, name: 'Person', email })
  return { id, email, claims: { sub: `subject-${number}`, email, email_verified: true } }
}

/** Invites a new address, and returns the path of the mailed link. */
async function invited(of: Service) {
  number += 1
  const email = `invited${number}@example.com`
  mailServer.mails.length = 0
  await mutate(of, operatorToken, 'inviteUser', { workspaceID, email, name: 'Rosa' }, 'invitationURL')
  const path = new URL(linkIn(mailServer.mails[0]?.source ?? '')).pathname
  return { email, path, claims: { sub: `subject-${number}`, email, email_verified: true } }
}

const cookiesOf = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

/** Signs in at the provider from a page of the service. Returns the cookies and where the browser is sent. */
async function signInAtProvider({ app }: Service, url: string, claims: typeof provider.person) {
  provider.person = claims
  const begun = await app.inject(url)
  const back = await visitProvider(String(begun.headers.location), callback)
  const finished = await app.inject({
    url: back.slice(baseURL.length),
    headers: { cookie: cookiesOf(begun) },
  })
  return { cookie: cookiesOf(finished), location: finished.headers.location }
}

describe('SIGN_IN_METHODS', () => {
  test('is by default everything that is configured', () => {
    expect(readConfig({}).signInMethods).toEqual(['password', 'link'])
    expect(readConfig(settings).signInMethods).toEqual(['password', 'link', 'oidc'])
    expect(readConfig({ ...settings, SIGN_IN_METHODS: 'oidc, link' }).signInMethods).toEqual(['link', 'oidc'])
  })

  test.each([
    ['oidc', 'OIDC_ISSUER and OIDC_CLIENT_ID must be set if SIGN_IN_METHODS contains oidc'],
    ['sso', 'SIGN_IN_METHODS must be a comma-separated list of password, link, oidc'],
    [',', 'SIGN_IN_METHODS must have at least one entry'],
  ])('stops the start if it is %j and no provider is set', (value, problem) => {
    expect(() => readConfig({ SIGN_IN_METHODS: value })).toThrow(problem)
  })
})

describe('with oidc alone', () => {
  test('the sign-in page has only the button of the provider', async () => {
    const { body } = await oidcOnly.app.inject('/signin')
    expect(body).toContain('<a class="button" href="/signin/oidc">Sign in with Example</a>')
    expect(body).not.toMatch(/<form|password/i)
  })

  test('a right password signs nobody in', async () => {
    const { email } = await newPerson()
    await signIn(all, operator, email)
    const account = await operator.db.account.findUniqueOrThrow({ where: { email } })
    await storePassword(operator.db, account.id, await hashPassword(joiningPassword, { network: undefined }))
    const entered = { email, password: joiningPassword }
    expect((await postForm(all, '/signin', entered)).statusCode).toBe(303)
    const refused = await postForm(oidcOnly, '/signin', entered)
    expect([refused.statusCode, refused.cookies]).toEqual([409, []])
    expect(refused.body).toMatch(off)
  })

  test('no sign-in link is mailed, and one that exists does not work', async () => {
    const { email } = await newPerson()
    mailServer.mails.length = 0
    const mailed = await postForm(oidcOnly, '/signin/mail', { email })
    expect([mailed.statusCode, mailServer.mails.length]).toEqual([409, 0])
    expect(mailed.body).toMatch(off)
    const link = await linkPathFor(operator, email)
    for (const answer of [await oidcOnly.app.inject(link), await postForm(oidcOnly, link)]) {
      expect([answer.statusCode, answer.cookies]).toEqual([409, []])
      expect(answer.body).toMatch(off)
    }
    expect((await postForm(all, link)).statusCode).toBe(303)
  })

  test('nobody can create a sign-in link, neither the operator nor an admin', async () => {
    const { id, email } = await newPerson()
    mailServer.mails.length = 0
    const refusals = [
      await mutate(oidcOnly, operatorToken, 'createSignInLink', { email }, 'url'),
      await mutate(oidcOnly, operatorToken, 'mailSignInLink', { userID: id }, '__typename'),
    ]
    for (const { errors } of refusals) {
      expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', reason: 'SIGN_IN_METHOD_OFF' } }])
      expect(errors?.[0]?.message).toMatch(off)
    }
    expect(mailServer.mails).toEqual([])
    await createStarterWorkspace({ ...operator, config: oidcOnly.config })
    expect(await welcome({ db: operator.db, config: oidcOnly.config })).not.toContain('/signin/link/')
  })

  test('a person who is signed in cannot set a password', async () => {
    const { email } = await newPerson()
    const cookie = await signIn(all, operator, email)
    const page = await oidcOnly.app.inject({ url: '/account', headers: { cookie } })
    expect(page.body).toContain('Nobody can sign in with a password here. You sign in with Example.')
    expect(page.body).not.toContain('type="password"')
    const set = await postForm(
      oidcOnly,
      '/account/password',
      { password: joiningPassword },
      { cookie, ...sameOrigin },
    )
    expect(set.statusCode).toBe(409)
    expect(set.body).toMatch(/Passwords are turned off/)
    expect(await operator.db.account.findUnique({ where: { email } })).toMatchObject({ passwordHash: null })
    const { data } = await graphqlAs(
      oidcOnly,
      { cookie, workspaceID },
      '{ viewer { hasPassword permissions } }',
    )
    expect(data.viewer.hasPassword).toBeNull()
  })

  test('an invitation leads to the provider and back, and then the person joins', async () => {
    const { email, path, claims } = await invited(oidcOnly)
    const { body } = await oidcOnly.app.inject(path)
    expect(body).not.toMatch(/<form|type="password"/)
    const [, url = ''] = /href="(\/signin\/oidc[^"]*)">Sign in with Example/.exec(body) ?? []
    const refused = await postForm(oidcOnly, path, { name: 'Rosa', password: joiningPassword })
    expect([refused.statusCode, refused.cookies]).toEqual([409, []])
    expect(await operator.db.account.count({ where: { email } })).toBe(0)
    const { cookie, location } = await signInAtProvider(oidcOnly, url.replaceAll('&amp;', '&'), claims)
    expect(location).toBe(path)
    const joined = await postForm(oidcOnly, path, { name: 'Rosa Luz' }, { cookie, ...sameOrigin })
    expect(joined.statusCode).toBe(303)
    const { data } = await graphqlAs(oidcOnly, { cookie, workspaceID }, '{ me { name email } }')
    expect(data.me).toEqual({ name: 'Rosa Luz', email })
  })
})

describe('without oidc', () => {
  test('a provider that is configured signs nobody in', async () => {
    const service = await withMethods('password,link')
    expect((await service.app.inject('/signin')).body).not.toContain('Example')
    const answer = await service.app.inject('/signin/oidc')
    expect(answer.statusCode).toBe(409)
    expect(answer.body).toMatch(off)
    const { claims } = await newPerson()
    provider.person = claims
    const begun = await all.app.inject('/signin/oidc')
    const back = await visitProvider(String(begun.headers.location), callback)
    const url = back.slice(baseURL.length)
    const finished = await service.app.inject({ url, headers: { cookie: cookiesOf(begun) } })
    expect(finished.statusCode).toBe(409)
    expect(finished.cookies.map(({ name }) => name)).not.toContain('skein-session')
  })
})

const textOf = ({ body }: { body: string }) => body.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')

describe('with password and oidc', async () => {
  const service = await withMethods('password,oidc')

  test('the sign-in page leads people without a password to the provider', async () => {
    const text = textOf(await service.app.inject('/signin'))
    expect(text).toContain('If you have no password or have forgotten it, sign in with Example.')
    expect(text).not.toMatch(/ask the person/)
  })

  test('an invitation lets people choose another account at the provider, also after a wrong password', async () => {
    const url = '/signin?prompt=select_account'
    const page = await service.app.inject(url)
    const wrong = await postForm(service, url, { email: 'nobody@example.com', password: 'wrong' }, sameOrigin)
    for (const { body } of [page, wrong]) {
      expect(body).toContain('href="/signin/oidc?prompt=select_account"')
      expect(body).toContain(`action="${url}"`)
    }
    const { email } = await newPerson()
    const cookie = await signIn(all, operator, email)
    const { body } = await service.app.inject({ url, headers: { cookie } })
    expect(textOf({ body })).toContain(`signed in as ${email}. Sign in with the address of the invitation.`)
    expect(body).toContain('required value=""')
  })
})

describe('with password alone', async () => {
  const service = await withMethods('password')

  test('the sign-in page says how to get a password, and never to ask for a link', async () => {
    const text = textOf(await service.app.inject('/signin'))
    expect(text).toContain(
      'If you are invited, open the link of the invitation, and choose a password there.',
    )
    expect(text).toContain(
      'If you have forgotten your password, ask the person who runs this service (the operator), who can allow sign-in links for a while.',
    )
    expect(text).not.toMatch(/ask .{0,60} for a sign-in link/)
  })

  test('the first note of a new service says to open the link of an invitation', async () => {
    const fresh = await startService({ SIGN_IN_METHODS: 'password' }, await testDatabase())
    expect(textOf(await fresh.app.inject('/signin'))).toContain(
      'npm run admin -- users invite EMAIL in its folder. The command invites you. Then open the link of the invitation.',
    )
  })

  test('a person joins by an invitation with a password', async () => {
    const { path } = await invited(service)
    expect((await service.app.inject(path)).body).toMatch(/<input name="password"[^>]* required/)
    expect((await postForm(service, path, { name: 'Rosa' })).statusCode).toBe(400)
    expect((await postForm(service, path, { name: 'Rosa', password: joiningPassword })).statusCode).toBe(303)
  })

  test('an invitation does not sign in an account that has a password', async () => {
    const { email, path } = await invited(service)
    await postForm(service, path, { name: 'Rosa', password: joiningPassword })
    const other = await mutate(all, operatorToken, 'createWorkspace', { name: 'Other' }, 'workspace { id }')
    mailServer.mails.length = 0
    const input = { workspaceID: other.data.createWorkspace.workspace.id, email }
    await all.graphql(operatorToken, mutation('inviteUser', '__typename'), { input })
    const second = new URL(linkIn(mailServer.mails[0]?.source ?? '')).pathname
    expect((await service.app.inject(second)).body).toContain(
      `href="/signin?prompt=select_account&amp;continue=`,
    )
    const refused = await postForm(service, second, { name: 'Rosa' })
    expect([refused.statusCode, refused.cookies]).toEqual([409, []])
  })
})
