import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { createSignInLink, type LinkTarget } from '../../src/accounts/links/sign-in-links.ts'
import { sweepSessions } from '../../src/accounts/sessions/session.ts'
import { newID } from '../../src/platform/ids.ts'
import { hashSecret } from '../../src/platform/secrets/secrets.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deleteUser } from '../../src/workspaces/users/delete-user.ts'
import { cookieOf, graphqlAs, joinBy, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { testDatabase } from '../support/database.ts'
import { makeWorld } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '1000' })
const secure = await startService({ BASE_URL: 'https://chat.example' })
const world = await makeWorld(service)
const { db } = world.operator

let number = 0
/** Returns a new person of the world's workspace, with an email address. */
async function newPerson(workspaceID = world.workspaceID) {
  number += 1
  const email = `Person${number}@Example.com`
  const { id } = await createPerson(world.operator, { workspaceID, name: `Person ${number}`, email })
  return { id, email }
}

const pathOf = (target: LinkTarget) => createSignInLink(db, target)
const linkFor = (email: string) => pathOf({ email, workspaceID: null, provesEmail: true })
const invitationFor = (email: string, workspaceID = world.workspaceID) =>
  pathOf({ email, workspaceID, provesEmail: false })
const me = '{ me { id } }'
const sha256 = (secret: string) => createHash('sha256').update(secret).digest('hex')

describe('the sign-in page', () => {
  test('names the command of the operator until somebody has signed in', async () => {
    const fresh = await startService({}, await testDatabase())
    const page = async () => (await fresh.app.inject('/signin')).body
    expect(await page()).toContain('npm run admin -- welcome')
    await signIn(fresh, fresh.contextOf({ kind: 'operator' }), 'ada@example.com')
    expect(await page()).not.toContain('npm run admin')
    expect(await page()).toContain(
      'If you have no password or have forgotten it, ask the person who runs this service (the operator) for a sign-in link.',
    )
  })
})

describe('a sign-in link', () => {
  test('adds the event userUpdated when a person signs in for the first time, and only then', async () => {
    const { email, id } = await newPerson()
    const { token } = world.app
    const { data } = await service.graphql(token, '{ latestEventCursor }')
    for (let count = 0; count < 2; count += 1) await postForm(service, await linkFor(email))
    const query = 'query ($after: String) { events(after: $after) { nodes { type objectID } } }'
    const events = await service.graphql(token, query, { after: data.latestEventCursor })
    expect(events.data.events.nodes).toEqual([{ type: 'userUpdated', objectID: id }])
  })

  test('shows a button, and signs in when it is pressed', async () => {
    const { email, id } = await newPerson()
    const link = await linkFor(email)
    for (let views = 0; views < 2; views += 1) {
      const page = await service.app.inject(link)
      expect([page.statusCode, page.cookies]).toEqual([200, []])
      expect(page.body).toContain(email.toLowerCase())
    }
    const answer = await postForm(service, link)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(answer.cookies).toMatchObject([
      { name: 'skein-session', httpOnly: true, sameSite: 'Lax', path: '/' },
      { name: 'skein-browser', httpOnly: true, sameSite: 'Lax', path: '/' },
    ])
    const [{ name, value } = { name: '', value: '' }] = answer.cookies
    const { data } = await graphqlAs(
      service,
      { cookie: `${name}=${value}`, workspaceID: world.workspaceID },
      me,
    )
    expect(data.me.id).toBe(id)
  })

  test('sets a __Host- cookie over https', async () => {
    const { db } = secure.contextOf({ kind: 'operator' })
    const link = await createSignInLink(db, { email: 'a@b.c', workspaceID: null, provesEmail: true })
    const answer = await postForm(secure, link)
    expect(answer.cookies).toMatchObject([
      { name: '__Host-skein-session', secure: true, path: '/' },
      { name: '__Host-skein-browser', secure: true, path: '/' },
    ])
    const features = expect.stringContaining('camera=()')
    const headers = { 'strict-transport-security': 'max-age=31536000', 'permissions-policy': features }
    expect(answer.headers).toMatchObject(headers)
    const plain = await service.app.inject('/signin')
    expect(plain.headers).toMatchObject({ 'permissions-policy': features })
    expect(plain.headers).not.toHaveProperty('strict-transport-security')
  })

  test('works for one of a hundred concurrent uses', async () => {
    const link = await linkFor((await newPerson()).email)
    const answers = await Promise.all(Array.from({ length: 100 }, () => postForm(service, link)))
    const statuses = answers.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(statuses.filter((status) => status === 403)).toHaveLength(99)
  })

  test('returns 403 if it is unknown, used or expired', async () => {
    const link = await linkFor((await newPerson()).email)
    await postForm(service, link)
    const expired = await linkFor((await newPerson()).email)
    await db.$executeRaw`UPDATE sign_in_links SET expires_at = now()`
    for (const path of [link, expired, '/signin/link/x']) {
      for (const answer of [await service.app.inject(path), await postForm(service, path)]) {
        expect([answer.statusCode, answer.cookies]).toEqual([403, []])
        expect(answer.body).toContain(
          'This link is not valid. It may have expired, or it was already used or replaced.',
        )
      }
    }
  })

  test('returns 403 to the form of another site', async () => {
    const link = await linkFor((await newPerson()).email)
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
      { origin: 'https://evil.example' },
    ]) {
      expect([headers, (await postForm(service, link, {}, headers)).statusCode]).toEqual([headers, 403])
    }
    const { origin } = new URL(service.config.baseURL)
    expect((await postForm(service, link, {}, { origin })).statusCode).toBe(303)
  })

  test('links the account to the person in each workspace', async () => {
    const first = await newPerson()
    const other = await makeWorld(service)
    const there = await createPerson(other.operator, {
      workspaceID: other.workspaceID,
      name: 'There',
      email: first.email.toUpperCase(),
    })
    await signIn(service, world.operator, first.email)
    const people = await db.user.findMany({ where: { id: { in: [first.id, there.id] } } })
    expect(people.map(({ accountID }) => accountID)).not.toContain(null)
    expect(new Set(people.map(({ accountID }) => accountID)).size).toBe(1)
  })

  test('ends the session that the new session replaces', async () => {
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    await postForm(service, await linkFor((await newPerson()).email), {}, { ...sameOrigin, cookie })
    const { errors } = await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, me)
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('is stored as a hash, and is never logged', async () => {
    const { email } = await newPerson()
    service.log.length = 0
    const link = await linkFor(email)
    const cookie = await signIn(service, world.operator, email)
    await service.app.inject(link)
    const secrets = [link.slice(-43), cookie.slice(-43)]
    const stored = await db.$queryRaw<{ hash: string; row: string }[]>`
      SELECT encode(token_hash, 'hex') AS hash, to_jsonb(s)::text AS row FROM sessions s
      UNION ALL SELECT encode(code_hash, 'hex'), to_jsonb(l)::text FROM sign_in_links l`
    expect(stored.map(({ hash }) => hash)).toEqual(expect.arrayContaining(secrets.map(sha256)))
    for (const secret of secrets) {
      expect(JSON.stringify(stored)).not.toContain(secret)
      expect(service.log.join('')).not.toContain(secret)
    }
  })
})

test('the number of wrong links that one address can open is limited, but views of a valid link do not count', async () => {
  const strict = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '1' })
  const { db } = strict.contextOf({ kind: 'operator' })
  const link = await createSignInLink(db, { email: 'a@b.c', workspaceID: null, provesEmail: true })
  const open = (path: string) => strict.app.inject(path).then(({ statusCode }) => statusCode)
  for (let views = 0; views < 10; views += 1) expect(await open(link)).toBe(200)
  const wrong = await Promise.all(Array.from({ length: 20 }, () => open('/signin/link/x')))
  expect(wrong.filter((status) => status === 403)).toHaveLength(5)
  expect(wrong.filter((status) => status === 429)).toHaveLength(15)
  expect((await postForm(strict, link)).statusCode).toBe(429)
})

describe('an invitation that an admin copied', () => {
  test('creates an account that is linked only to the person in its workspace', async () => {
    const invited = await newPerson()
    const other = await makeWorld(service)
    const elsewhere = await createPerson(other.operator, {
      workspaceID: other.workspaceID,
      name: 'There',
      email: invited.email,
    })
    expect((await joinBy(service, await invitationFor(invited.email))).statusCode).toBe(303)
    const people = await db.user.findMany({
      where: { id: { in: [invited.id, elsewhere.id] }, accountID: { not: null } },
    })
    expect(people.map(({ id }) => id)).toEqual([invited.id])
  })

  test('does not sign in to an account that exists, and stays usable', async () => {
    const { email } = await newPerson()
    await signIn(service, world.operator, email)
    const invitation = await invitationFor(email)
    const answer = await joinBy(service, invitation)
    expect([answer.statusCode, answer.cookies]).toEqual([403, []])
    expect((await service.app.inject(invitation)).statusCode).toBe(200)
  })

  test('returns 403 after the person was removed from the workspace, and creates no account', async () => {
    const { email, id } = await newPerson()
    const link = await invitationFor(email)
    await deleteUser(db, { workspaceID: world.workspaceID, id })
    const answer = await postForm(service, link)
    expect([answer.statusCode, answer.cookies]).toEqual([403, []])
    expect(await db.account.count({ where: { email: email.toLowerCase() } })).toBe(0)
  })

  test('names its workspace on its page', async () => {
    const { name } = await db.workspace.findUniqueOrThrow({ where: { id: world.workspaceID } })
    const { email } = await newPerson()
    expect((await service.app.inject(await invitationFor(email))).body).toContain(`Join ${name}`)
    expect((await service.app.inject(await linkFor(email))).body).not.toContain(name)
  })

  test('says on its page that the new session replaces the session of another account', async () => {
    const link = await invitationFor((await newPerson()).email)
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const page = await service.app.inject({ url: link, headers: { cookie } })
    expect(page.body).toContain('The new session replaces that session.')
    expect((await service.app.inject(link)).body).not.toContain('The new session replaces that session.')
  })

  test('says on its page that it creates an account, even if the address already has an account', async () => {
    const { email } = await newPerson()
    const before = (await service.app.inject(await invitationFor(email))).body
    const cookie = await signIn(service, world.operator, email)
    const invitation = await invitationFor(email)
    expect((await service.app.inject(invitation)).body).toBe(before)
    expect(before).toContain('This invitation creates a new account')
    const signedIn = await service.app.inject({ url: invitation, headers: { cookie } })
    expect(signedIn.body).not.toContain('This invitation creates a new account')
  })

  test('starts a session that ends when the owner of the address signs in', async () => {
    const { email } = await newPerson()
    const answer = await joinBy(service, await invitationFor(email))
    const [{ name, value } = { name: '', value: '' }] = answer.cookies
    await signIn(service, world.operator, email)
    const before = { cookie: `${name}=${value}`, workspaceID: world.workspaceID }
    expect((await graphqlAs(service, before, me)).errors).toMatchObject([
      { extensions: { code: 'UNAUTHENTICATED' } },
    ])
  })
})

describe('a session', () => {
  test('acts as the person of the workspace that the header names', async () => {
    const { email } = await newPerson()
    const other = await makeWorld(service)
    const there = await createPerson(other.operator, { workspaceID: other.workspaceID, name: 'There', email })
    const cookie = await signIn(service, world.operator, email)
    const answer = await graphqlAs(
      service,
      { cookie, workspaceID: other.workspaceID },
      '{ me { id } viewer { scopes } }',
    )
    expect(answer.data.me.id).toBe(there.id)
    expect(answer.data.viewer.scopes).toContain('threads.messages:write')
  })

  test('returns FORBIDDEN in a workspace without the person, and in a workspace that does not exist', async () => {
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const other = await makeWorld(service)
    for (const workspaceID of [other.workspaceID, newID('wks'), 'x']) {
      const { errors } = await graphqlAs(service, { cookie, workspaceID }, me)
      expect(errors).toMatchObject([
        {
          extensions: { code: 'FORBIDDEN' },
          message: 'You are not in the workspace that the header Skein-Workspace names.',
        },
      ])
    }
    expect((await graphqlAs(service, { cookie }, me)).errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'Skein-Workspace' }] } },
    ])
  })

  test('is refused if the header Skein-User names another person', async () => {
    const [first, second] = [await newPerson(), await newPerson()]
    const cookie = await signIn(service, world.operator, first.email)
    const statusAs = async (userID: string) => {
      const headers = {
        cookie,
        'skein-workspace': world.workspaceID,
        'skein-user': userID,
        ...sameOrigin,
      }
      const payload = { query: me }
      return (await service.app.inject({ method: 'POST', url: '/public/graphql', headers, payload }))
        .statusCode
    }
    expect([await statusAs(first.id), await statusAs(second.id)]).toEqual([200, 401])
  })

  test('is refused from another origin, by GET and by a form', async () => {
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const headers = { cookie, 'skein-workspace': world.workspaceID }
    const url = '/public/graphql'
    const get = await service.app.inject({
      url,
      query: { query: me },
      headers: { ...headers, ...sameOrigin },
    })
    expect([get.statusCode, get.json().errors[0].extensions.code]).toEqual([403, 'FORBIDDEN'])
    for (const origin of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}]) {
      const post = await service.app.inject({
        method: 'POST',
        url,
        headers: { ...headers, ...origin },
        payload: { query: me },
      })
      expect([origin, post.statusCode]).toEqual([origin, 403])
    }
    const form = await postForm(service, url, { query: me }, { ...headers, ...sameOrigin })
    expect(form.statusCode).toBe(415)
  })

  test('is ignored if the request has a bearer token', async () => {
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const headers = { cookie, authorization: `Bearer ${world.app.token}` }
    const answer = await service.app.inject({
      method: 'POST',
      url: '/public/graphql',
      headers,
      payload: { query: me },
    })
    expect(answer.json().data.me.id).toBe(world.app.userID)
  })

  test.each([
    [
      'Edge on Windows',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
    ],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['Safari on iOS', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1'],
    ['curl/8.9.1', 'curl/8.9.1'],
  ])('is listed as %s', async (name, userAgent) => {
    const { email } = await newPerson()
    const headers = { 'user-agent': userAgent, ...sameOrigin }
    const cookie = cookieOf(await postForm(service, await linkFor(email), {}, headers))
    const page = await service.app.inject({ url: '/account', headers: { cookie } })
    expect(page.body).toContain(`<strong>${name}</strong> (this browser)`)
  })

  test('sees an account page with forms for the password and the sessions, and for nothing else', async () => {
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const { body } = await service.app.inject({ url: '/account', headers: { cookie } })
    const actions = [...body.matchAll(/action="([^"]+)"/g)].map(([, action]) => action)
    expect([...new Set(actions)].sort()).toEqual(['/account/password', '/account/sessions/end'])
    for (const path of ['/account/tokens', '/account/tokens/revoke', '/account/grants/end']) {
      const { statusCode } = await postForm(service, path, {}, { cookie, ...sameOrigin })
      expect({ path, statusCode }).toEqual({ path, statusCode: 404 })
    }
  })

  test('ends on request, after 30 days without use, and when the account is deactivated', async () => {
    const { email } = await newPerson()
    const [first, second, third] = [
      await signIn(service, world.operator, email),
      await signIn(service, world.operator, email),
      await signIn(service, world.operator, email),
    ]
    const page = await service.app.inject({ url: '/account', headers: { cookie: first } })
    const ids = [...page.body.matchAll(/value="(ses_\w+)"/g)].map(([, id = '']) => id)
    expect(ids).toHaveLength(3)
    const works = async (cookie: string) =>
      (await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, me)).errors === undefined
    const ended = await postForm(
      service,
      '/account/sessions/end',
      { session: ids[1] ?? '' },
      { cookie: first, ...sameOrigin },
    )
    expect(ended.headers.location).toBe('/account')
    expect([await works(first), await works(second), await works(third)]).toEqual([true, false, true])
    await db.$executeRaw`UPDATE sessions SET last_used_at = now() - interval '29 days' WHERE id = ${ids[2]}`
    expect(await works(first)).toBe(true)
    await db.$executeRaw`UPDATE sessions SET last_used_at = now() - interval '31 days' WHERE id = ${ids[2]}`
    expect(await works(first)).toBe(false)
    await db.$executeRaw`UPDATE accounts SET deactivated_at = now() WHERE email = lower(${email})`
    expect(await works(third)).toBe(false)
  })

  test('ends earlier after a start with a lower SESSION_MAX_DAYS', async () => {
    const { email } = await newPerson()
    const [older, newer] = [
      await signIn(service, world.operator, email),
      await signIn(service, world.operator, email),
    ]
    const works = async (cookie: string) =>
      (await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, me)).errors === undefined
    await db.$executeRaw`
      UPDATE sessions SET created_at = now() - interval '2 days'
      WHERE token_hash = ${hashSecret(older.replace(/^[^=]*=/, ''))}`
    await sweepSessions(db, 3)
    expect([await works(older), await works(newer)]).toEqual([true, true])
    await sweepSessions(db, 1)
    expect([await works(older), await works(newer)]).toEqual([false, true])
  })

  test('that ends before the body of a request arrives does not authenticate the request', async () => {
    const { workspaceID } = world
    const cookie = await signIn(service, world.operator, (await newPerson()).email)
    const lateBody = async function* () {
      await postForm(service, '/account/sessions/end', { session: 'current' }, { cookie, ...sameOrigin })
      const now = performance.now()
      vi.spyOn(performance, 'now').mockImplementation(() => now + 2000)
      yield JSON.stringify({ query: me })
    }
    const headers = {
      cookie,
      'content-type': 'application/json',
      'skein-workspace': workspaceID,
      ...sameOrigin,
    }
    const payload = Readable.from(lateBody(), { objectMode: false })
    const request = { method: 'POST', url: '/public/graphql', headers, payload } as const
    const answer = await service.app.inject(request).finally(() => vi.restoreAllMocks())
    expect(answer.json().errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('of a deleted person does not work in the workspace', async () => {
    const { email, id } = await newPerson()
    const cookie = await signIn(service, world.operator, email)
    await mutated(service, operatorToken, 'deleteUser', { userID: id }, 'user { id }')
    const { errors } = await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, me)
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })
})
