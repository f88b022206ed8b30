import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { hashCost, hashPassword, passwordMatches } from '../../src/accounts/passwords/password-hash.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { cookieOf, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { hiddenFields } from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
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

/** Makes a person with the password, and a browser in which they have signed in. */
async function makeOwner(of: typeof service) {
  const { operator, workspaceID } = await makeWorld(of)
  const address = 'owner@example.com'
  await createPerson(operator, { workspaceID, name: 'Owner', email: address })
  const session = await signIn(of, operator, address)
  await postForm(of, '/account/password', { password }, { cookie: session, ...sameOrigin })
  const attempt = (value: string, headers: object = {}) =>
    postForm(of, '/signin', { email: address, password: value }, { ...sameOrigin, ...headers })
  return { operator, address, attempt, browser: browserCookieOf(await attempt(password)) }
}

/** Returns the cookie that an answer sets, by which the service knows the browser again. */
function browserCookieOf({ cookies }: Awaited<ReturnType<typeof postForm>>): string | undefined {
  return cookies.map(({ name, value }) => `${name}=${value}`).find((each) => each.includes('browser'))
}

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
    await postForm(service, invitation, { password })
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
    const hash = await hashPassword(password, { owner: email })
    expect(await passwordMatches(password, hash, { owner: email })).toBe(true)
    clearInterval(timer)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 2000).toBeGreaterThan(50)
    expect(ticks).toBeGreaterThan(5)
  })
})

/** A stored hash that takes two seconds to compare, and that no password matches. */
const slowHash = ['scrypt', 2 ** 15, 8, 30, 'c2FsdA', Buffer.alloc(32).toString('base64url')].join('$')

test('a password that waits too long to be checked is refused with 503, also in a known browser', async () => {
  hashAtProductionCost()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const codeOf = (hash: Promise<string>) =>
    hash.then(
      () => 'hashed',
      ({ status, retryAfterSeconds }) => [status, retryAfterSeconds],
    )
  const first = ['a', 'b'].map((network) => passwordMatches(password, slowHash, { network }))
  const hashes = [{ network: 'c' }, { owner: email }].map((caller) => codeOf(hashPassword(password, caller)))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await Promise.all(hashes)).toEqual([
    [503, 5],
    [503, 5],
  ])
  await Promise.all(first)
  expect(await codeOf(hashPassword(password, { owner: email }))).toBe('hashed')
})

test('an attempt that is refused because too many passwords wait is not counted', async () => {
  const hashed = ['a', 'b'].map((network) => passwordMatches(password, slowHash, { network }))
  const waiting = Array.from({ length: 20 }, (_, index) => hashPassword(password, { network: `${index}` }))
  const attempt = async () => {
    const answer = await postForm(limited, '/signin', { email, password: 'not-the-password' })
    return answer.statusCode
  }
  expect([await attempt(), await attempt(), await attempt()]).toEqual([503, 503, 503])
  await Promise.allSettled([...hashed, ...waiting])
  expect([await attempt(), await attempt(), await attempt()]).toEqual([403, 403, 429])
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

  test('from elsewhere locks out neither a browser that signed in before nor the mailed link', async () => {
    const mails = await startMailServer()
    const guarded = await startService({
      SIGNIN_ATTEMPTS_PER_MINUTE: '2',
      SMTP_URL: mails.url,
      MAIL_FROM: 'skein@example.com',
    })
    const { address, attempt, browser } = await makeOwner(guarded)
    // Ten attempts are the limit of the client address.
    for (let count = 0; count < 11; count += 1)
      await postForm(guarded, '/signin', { email: `other${count}@example.com`, password: 'wrong' })
    for (let count = 0; count < 3; count += 1) await attempt('wrong')
    expect((await attempt(password)).statusCode).toBe(429)
    expect((await attempt(password, { cookie: browser })).statusCode).toBe(303)
    expect((await attempt(password, { cookie: `${browser}x` })).statusCode).toBe(429)
    for (let count = 0; count < 2; count += 1)
      expect((await attempt('wrong', { cookie: browser })).statusCode).toBe(403)
    expect((await attempt(password, { cookie: browser })).statusCode).toBe(429)
    expect((await postForm(guarded, '/signin/mail', { email: address })).statusCode).toBe(200)
    await expect.poll(() => mails.mails).toHaveLength(1)
    expect((await postForm(guarded, new URL(linkIn(mails.mails[0]?.source ?? '')).pathname)).statusCode).toBe(
      303,
    )
  })

  test('from elsewhere lock out none of the people who have signed in with a browser', async () => {
    const guarded = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '2' })
    const { operator, attempt, browser = '' } = await makeOwner(guarded)
    const other = await createSignInLink(operator.db, {
      email: 'b@c.d',
      workspaceID: null,
      provesEmail: true,
    })
    const shared =
      browserCookieOf(await postForm(guarded, other, {}, { cookie: browser, ...sameOrigin })) ?? ''
    for (let count = 0; count < 3; count += 1) await attempt('wrong')
    expect((await attempt(password)).statusCode).toBe(429)
    expect((await attempt(password, { cookie: shared })).statusCode).toBe(303)
    for (const email of ['b@c.d', 'nobody@example.com'])
      for (let count = 0; count < 3; count += 1)
        await postForm(guarded, '/signin', { email, password: 'wrong' })
    const inShared = async (email: string) =>
      (await postForm(guarded, '/signin', { email, password: 'wrong' }, { cookie: shared, ...sameOrigin }))
        .statusCode
    expect([await inShared('b@c.d'), await inShared('nobody@example.com')]).toEqual([403, 429])
  })

  test('from many addresses at once are refused with 503 beyond a short queue, but not in a known browser, and the next one is served', async () => {
    const proxied = await startService({ TRUST_PROXY: '127.0.0.1', SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
    const attempt = (number: number) =>
      postForm(
        proxied,
        '/signin',
        { email: `p${number}@example.com`, password: 'wrong' },
        { ...sameOrigin, 'x-forwarded-for': `198.51.100.${number}` },
      )
    const owner = await makeOwner(proxied)
    const testCost = hashCost.N
    onTestFinished(() => {
      hashCost.N = testCost
    })
    // Slow enough that attempts wait, and an eighth of the cost in production.
    hashCost.N = productionHashCost.N / 8
    const others = Promise.all(Array.from({ length: 60 }, (_, number) => attempt(number + 1)))
    const inKnownBrowser = await owner.attempt(password, { cookie: owner.browser })
    const answers = await others
    expect(inKnownBrowser.statusCode).toBe(303)
    const refused = answers.filter(({ statusCode }) => statusCode === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(22)
    expect(new Set(refused.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['5']))
    expect((await attempt(61)).statusCode).toBe(403)
  })
})
