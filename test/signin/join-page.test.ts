import { describe, expect, test } from 'vitest'
import {
  cookieOf,
  graphqlAs,
  joinBy,
  joiningPassword as password,
  postForm,
  sameOrigin,
  signIn,
} from '../support/browser-session.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutation } from '../support/mutations.ts'
import { type Service, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const mailServer = await startMailServer()
const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })
const mailing = await startService({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'skein@example.com',
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
})
const world = await makeWorld(service)
const mailWorld = await makeWorld(mailing)

let number = 0

/** Invites a new person called Rosa. Returns the path of the link, which is mailed if the service can do that. */
async function invited({ of = service, into = of === mailing ? mailWorld : world }: Partial<Place> = {}) {
  number += 1
  const email = `rosa${number}@example.com`
  return { email, path: await invite({ of, into }, email) }
}

type Place = { of: Service; into: World }

async function invite({ of, into }: Place, email: string): Promise<string> {
  mailServer.mails.length = 0
  const admin = await signedIn(of, into, 'admin')
  const { workspaceID } = into
  const input = { workspaceID, email, name: 'Rosa' }
  const { data } = await admin.ask(mutation('inviteUser', 'invitationURL'), { input })
  return new URL(data.inviteUser.invitationURL ?? linkIn(mailServer.mails[0]?.source ?? '')).pathname
}

const nameOf = async (cookie: string, { of = service, into = world }: Partial<Place> = {}) =>
  (await graphqlAs(of, { cookie, workspaceID: into.workspaceID }, '{ me { name } }')).data.me.name
const enter = (email: string, of = service) => postForm(of, '/signin', { email, password })

describe('the page of an invitation', () => {
  test('says who invited whom to what, and asks for the name and a password', async () => {
    const { email, path } = await invited()
    const { body } = await service.app.inject(path)
    expect(body).toContain('<title>Join Workshop</title>')
    expect(body).toMatch(new RegExp(`<p>Person \\d+ invited you as <strong>${email}</strong>.</p>`))
    expect(body).toMatch(/<input name="name"[^>]* value="Rosa" autofocus/)
    expect(body).toMatch(/<label>Password\n<input name="password"[^>]* required/)
    expect(body).toContain('<button>Join</button>')
  })

  test('lets the person join with another name and a password, with which they sign in again', async () => {
    const { email, path } = await invited()
    const answer = await postForm(service, path, { name: ' Rosa Parks ', password })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(await nameOf(cookieOf(answer))).toBe('Rosa Parks')
    expect(await nameOf(cookieOf(await enter(email)))).toBe('Rosa Parks')
  })

  test.each([
    [{ name: ' ', password }, 'Your name must not be blank.'],
    [{ name: 'x'.repeat(101), password }, 'Your name must have at most 100 characters.'],
    [{ name: 'Rosa Parks' }, 'The password is required.'],
    [{ name: 'Rosa Parks', password: 'short' }, 'The password must have at least 12 characters.'],
    [{ name: 'Rosa Parks', password: 'password1234' }, 'The password is easy to guess'],
  ])('shows the problem with %j, keeps the name, and the link still works', async (fields, problem) => {
    const { email, path } = await invited()
    const answer = await postForm(service, path, fields as Record<string, string>)
    expect([answer.statusCode, answer.cookies]).toEqual([400, []])
    expect(answer.body).toContain(`role="alert">${problem}`)
    expect(answer.body).toContain(`value="${fields.name}"`)
    expect((await enter(email)).statusCode).toBe(403)
    expect((await joinBy(service, path)).statusCode).toBe(303)
  })

  test('asks for no password if the browser is signed in to the account, which keeps its session', async () => {
    const other = await makeWorld(service)
    const { email, cookie } = await signedIn(service, other, 'member')
    const path = await invite({ of: service, into: world }, email)
    const { body } = await service.app.inject({ url: path, headers: { cookie } })
    expect(body).not.toContain('name="password"')
    const fields = { name: 'Rosa Parks' }
    const answer = await postForm(service, path, fields, { cookie, ...sameOrigin })
    expect([answer.statusCode, answer.cookies]).toEqual([303, []])
    expect(await nameOf(cookie)).toBe('Rosa Parks')
    expect(await nameOf(cookie, { into: other })).not.toBe('Rosa Parks')
  })

  test('has one event for a person who keeps the name', async () => {
    const { path } = await invited()
    const { data: start } = await service.graphql(world.app.token, '{ latestEventCursor }')
    await joinBy(service, path)
    const query = 'query ($after: String) { events(after: $after) { nodes { type } } }'
    const { data } = await service.graphql(world.app.token, query, { after: start.latestEventCursor })
    expect(data.events.nodes).toEqual([{ type: 'userUpdated' }])
  })
})

describe('the page of an invitation that was mailed', () => {
  const place = { of: mailing, into: mailWorld }

  test('needs no password, because the person can sign in with a link by mail', async () => {
    const { path } = await invited(place)
    const { body } = await mailing.app.inject(path)
    expect(body).toContain('<label>Password (optional)')
    expect(body).toContain('Without one, you sign in with a link by email.')
    const cookie = cookieOf(await postForm(mailing, path, { name: 'Rosa Parks', password: '' }))
    expect(await nameOf(cookie, place)).toBe('Rosa Parks')
  })

  test('sets the password, and ends the other sessions of the account', async () => {
    const { email, path } = await invited(place)
    const earlier = await signIn(mailing, mailWorld.operator, email)
    const again = await invite(place, `other-${email}`)
    const cookie = cookieOf(await postForm(mailing, again, { password }))
    expect(await nameOf(cookie, place)).toBe('Rosa')
    expect((await enter(`other-${email}`, mailing)).statusCode).toBe(303)
    expect(await nameOf(cookieOf(await postForm(mailing, path, { password })), place)).toBe('Rosa')
    const { errors } = await graphqlAs(
      mailing,
      { cookie: earlier, workspaceID: mailWorld.workspaceID },
      '{ me { id } }',
    )
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test('asks for no password if the account has one, and keeps it', async () => {
    const other = await makeWorld(mailing)
    const { email, path } = await invited({ of: mailing, into: other })
    await postForm(mailing, path, { password })
    const again = await invite(place, email)
    expect((await mailing.app.inject(again)).body).not.toContain('name="password"')
    const cookie = cookieOf(await postForm(mailing, again, { password: 'another-evening-soup' }))
    expect(await nameOf(cookie, place)).toBe('Rosa')
    expect((await enter(email, mailing)).statusCode).toBe(303)
  })
})
