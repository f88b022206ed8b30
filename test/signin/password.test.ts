import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { hashCost, hashPassword, passwordMatches } from '../../src/accounts/passwords/password-hash.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { cookieOf, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { hiddenFields } from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { productionHashCost, startService } from '../support/service.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
const limited = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '2' })
const world = await makeWorld(service)
const password = 'winter-morning-bread'
let email = ''
let number = 0

beforeEach(() => {
  number += 1
  email = `person${number}@example.com`
})

const change = (cookie: string, fields: Record<string, string>) =>
  postForm(service, '/account/password', fields, { cookie, ...sameOrigin })
const enter = (fields: Record<string, string>) => postForm(service, '/signin', fields)
/** Gives the hashes of the current test the cost that they have in production. */
function hashAtProductionCost(): void {
  const lower = { ...hashCost }
  Object.assign(hashCost, productionHashCost)
  onTestFinished(() => void Object.assign(hashCost, lower))
}
const isSignedIn = async (cookie: string) =>
  (await service.app.inject({ url: '/account', headers: { cookie } })).statusCode === 200

describe('a password', () => {
  test('signs in with any letter case of the address and any Unicode form of the password', async () => {
    const cookie = await signIn(service, world.operator, email)
    expect((await change(cookie, { password: 'café terrace müsli' })).statusCode).toBe(303)
    const answer = await enter({
      email: email.toUpperCase(),
      password: 'café terrace müsli'.normalize('NFD'),
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(await isSignedIn(cookieOf(answer))).toBe(true)
  })

  test.each([
    ['too short', 'kP9!xxQz7Lm', 'must have at least 12 characters'],
    ['too long', 'x y'.repeat(100), 'must have at most 256 characters'],
    ['common', 'password1234', 'is easy to guess'],
    ['the address', 'person@example.com', 'is easy to guess'],
    ['the name of the service', 'skeinskeinskein', 'is easy to guess'],
    ['repeated', 'aaaaaaaaaaaaaaaa', 'is easy to guess'],
  ])('is refused if it is %s', async (_why, refused, message) => {
    const cookie = await signIn(service, world.operator, 'person@example.com')
    const answer = await change(cookie, { password: refused })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain(`The new password ${message}`)
  })

  test('can be changed only with the current one, and the change ends the other sessions', async () => {
    const cookie = await signIn(service, world.operator, email)
    await change(cookie, { password })
    const other = cookieOf(await enter({ email, password }))
    for (const current of ['', 'wrong']) {
      const answer = await change(cookie, { password: 'another-evening-soup', current })
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        expect.stringContaining('is not your current password'),
      ])
    }
    expect(await isSignedIn(other)).toBe(true)
    const changed = await change(cookie, { password: 'another-evening-soup', current: password })
    expect(changed.statusCode).toBe(303)
    expect([await isSignedIn(cookie), await isSignedIn(other)]).toEqual([true, false])
    expect((await enter({ email, password })).statusCode).toBe(403)
  })

  test('can be replaced once without the current password, in a session that a link has just started', async () => {
    const address = 'forgetful@example.com'
    await change(await signIn(service, world.operator, address), { password })
    const cookie = await signIn(service, world.operator, address)
    const page = () => service.app.inject({ url: '/account', headers: { cookie } })
    expect((await page()).body).not.toContain('Current password')
    expect((await change(cookie, { password: 'another-evening-soup' })).statusCode).toBe(303)
    expect((await page()).body).toContain('Current password')
    expect((await change(cookie, { password: 'third-evening-soup' })).statusCode).toBe(400)
    const late = await signIn(service, world.operator, address)
    await world.operator.db.$executeRaw`UPDATE sessions SET created_at = created_at - interval '61 minutes'`
    expect((await change(late, { password: 'third-evening-soup' })).statusCode).toBe(400)
    expect((await enter({ email: address, password: 'another-evening-soup' })).statusCode).toBe(303)
  })

  test('can be set on the account page, which then returns the browser to the page that linked to it', async () => {
    const cookie = await signIn(service, world.operator, email)
    const back = `/${world.workspaceID}/settings/profile`
    const page = await service.app.inject({
      url: `/account?continue=${encodeURIComponent(back)}`,
      headers: { cookie },
    })
    expect(page.body).toContain(`<a href="${back}">`)
    const fields = hiddenFields(page.body)
    expect(fields.continue).toBe(back)
    const mistake = await change(cookie, { password: 'short', continue: back })
    expect([mistake.statusCode, hiddenFields(mistake.body).continue]).toEqual([400, back])
    const answer = await change(cookie, { password, continue: back })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, back])
  })

  test('that was saved is confirmed once: the next page says so, and whether other sessions were ended', async () => {
    const cookie = await signIn(service, world.operator, email)
    const [notice] = (await change(cookie, { password })).cookies
    const account = (more = '') =>
      service.app.inject({ url: '/account', headers: { cookie: `${cookie}${more}` } })
    const confirmation = 'Your password was saved.'
    const next = await account(`; ${notice?.name}=${notice?.value}`)
    expect(next.body).toContain(confirmation)
    expect(next.cookies).toMatchObject([{ name: notice?.name, value: '' }])
    expect((await account()).body).not.toContain(confirmation)
    expect(next.body).not.toContain('were ended')
    await signIn(service, world.operator, email)
    const [later] = (await change(cookie, { password: `${password}!`, current: password })).cookies
    const other = await account(`; ${later?.name}=${later?.value}`)
    expect(other.body).toContain(`${confirmation} Your other sessions were ended.`)
  })

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/account',
    'javascript:alert(1)',
  ])('can be set on the account page, which does not link or redirect to %j', async (other) => {
    const cookie = await signIn(service, world.operator, email)
    const url = `/account?continue=${encodeURIComponent(other)}`
    const page = await service.app.inject({ url, headers: { cookie } })
    expect([page.statusCode, hiddenFields(page.body).continue]).toEqual([200, undefined])
    expect(page.body).not.toContain('without a new password')
    const answer = await change(cookie, { password, continue: other })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/account'])
  })

  test('has the value of one of two concurrent changes', async () => {
    const cookie = await signIn(service, world.operator, email)
    const values = ['another-evening-soup', 'purple-window-lamp']
    const answers = await Promise.all(values.map((value) => change(cookie, { password: value })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 400])
    const entered = await Promise.all(values.map((value) => enter({ email, password: value })))
    expect(entered.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403])
  })

  test('of somebody who accepted a copied invitation becomes invalid when the owner of the address signs in', async () => {
    const { db } = world.operator
    await createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Invited', email })
    const invitation = await createSignInLink(db, {
      email,
      workspaceID: world.workspaceID,
      provesEmail: false,
    })
    await change(cookieOf(await postForm(service, invitation)), { password })
    expect((await enter({ email, password })).statusCode).toBe(303)
    await signIn(service, world.operator, email)
    expect((await enter({ email, password })).statusCode).toBe(403)
  })

  test('does not sign in if the address matches only with lower() of the database', async () => {
    const cookie = await signIn(service, world.operator, 'irene@example.com')
    await change(cookie, { password })
    expect((await enter({ email: '\u0130rene@example.com', password })).statusCode).toBe(403)
    expect((await enter({ email: 'Irene@example.com', password })).statusCode).toBe(303)
  })

  test('can neither be used to sign in nor be set by a form of another site', async () => {
    const cookie = await signIn(service, world.operator, email)
    await change(cookie, { password })
    const answer = await postForm(service, '/signin', { email, password }, { origin: 'https://evil.example' })
    expect(answer.statusCode).toBe(403)
    const forged = await postForm(
      service,
      '/account/password',
      { password: 'another-evening-soup', current: password },
      { cookie, 'sec-fetch-site': 'cross-site' },
    )
    expect(forged.statusCode).toBe(403)
    expect((await enter({ email, password })).statusCode).toBe(303)
  })

  test('is stored with scrypt, and is never logged', async () => {
    hashAtProductionCost()
    service.log.length = 0
    await change(await signIn(service, world.operator, email), { password })
    const stored = await world.operator.db.account.findUnique({ where: { email } })
    expect(stored?.passwordHash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
    await enter({ email, password: 'not-the-password' })
    expect(service.log.join('')).not.toMatch(new RegExp(`${password}|not-the-password`))
  })

  test('takes at least 50 ms of CPU time to check, and does not block the event loop', async () => {
    hashAtProductionCost()
    const before = process.cpuUsage()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    const hash = await hashPassword(password)
    expect(await passwordMatches(password, hash)).toBe(true)
    clearInterval(timer)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 2000).toBeGreaterThan(50)
    expect(ticks).toBeGreaterThan(5)
  })
})

describe('a wrong password', () => {
  test('gets the same answer as an address without an account', async () => {
    await change(await signIn(service, world.operator, email), { password })
    const known = await enter({ email, password: 'not-the-password' })
    const unknown = await enter({ email: 'xxxxxxx@example.com', password: 'not-the-password' })
    const bodyOf = (answer: typeof known, address: string) => answer.body.replaceAll(address, '')
    expect([known.statusCode, known.cookies]).toEqual([403, []])
    expect([unknown.statusCode, unknown.cookies]).toEqual([403, []])
    expect(bodyOf(known, email)).toBe(bodyOf(unknown, 'xxxxxxx@example.com'))
  })

  test('is limited for each email address, with or without an account, and right passwords do not count', async () => {
    const { db } = limited.contextOf({ kind: 'operator' })
    const cookie = await signIn(limited, { ...world.operator, db }, 'ada@example.com')
    await postForm(limited, '/account/password', { password }, { cookie, ...sameOrigin })
    for (const address of ['ada@example.com', 'nobody@example.com']) {
      const attempt = (value: string) => postForm(limited, '/signin', { email: address, password: value })
      if (address.startsWith('ada')) {
        for (let count = 0; count < 3; count += 1) expect((await attempt(password)).statusCode).toBe(303)
      }
      for (let count = 0; count < 2; count += 1) expect((await attempt('wrong')).statusCode).toBe(403)
      const refused = await attempt(password)
      expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, expect.any(Number)])
    }
  })
})
