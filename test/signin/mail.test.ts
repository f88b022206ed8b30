import { describe, expect, test } from 'vitest'
import { mailBody } from '../../src/accounts/mail-body.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { cookieOf, graphqlAs, postForm } from '../support/browser-session.ts'
import { makeWorld } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { startService } from '../support/service.ts'

const mailServer = await startMailServer()
const settings = { MAIL_FROM: 'Skein <skein@example.com>', SIGNIN_ATTEMPTS_PER_MINUTE: '0' }
const service = await startService({ SMTP_URL: mailServer.url, ...settings })
const world = await makeWorld(service)
const ask = (email: string) => postForm(service, '/signin/mail', { email })

async function newPerson(email: string) {
  return createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Person', email })
}

describe('a mail with a sign-in link', () => {
  test('is offered to people who have forgotten their password', async () => {
    const { body } = await service.app.inject('/signin')
    expect(body).toContain('If you have no password or have forgotten it.')
    expect(body).not.toContain('operator')
  })

  test('signs in the person with the address', async () => {
    const { id } = await newPerson('Mailed@example.com')
    mailServer.mails.length = 0
    const answer = await ask('mailed@EXAMPLE.com')
    expect(answer.statusCode).toBe(200)
    await expect.poll(() => mailServer.mails).toHaveLength(1)
    const [{ to, source } = { to: [], source: '' }] = mailServer.mails
    expect(to).toEqual(['mailed@example.com'])
    expect(source).toMatch(/^From: Skein <skein@example\.com>$/m)
    expect(source).toMatch(/^Auto-Submitted: auto-generated$/im)
    const { pathname } = new URL(linkIn(source))
    const cookie = cookieOf(await postForm(service, pathname))
    const { data } = await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, '{ me { id } }')
    expect(data.me.id).toBe(id)
  })

  test('has the link as text and as HTML', async () => {
    await newPerson('both@example.com')
    mailServer.mails.length = 0
    await ask('both@example.com')
    await expect.poll(() => mailServer.mails).toHaveLength(1)
    const source = mailServer.mails[0]?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    const [, text = '', html = ''] = source.split(/^content-type: text\/(?:plain|html)/im)
    expect(text).toContain(linkIn(source))
    expect(html).toContain(`<a class="link" href="${linkIn(source)}">Sign in</a>`)
    expect(html).toContain('Sign in to Skein as both@example.com.')
  })

  test('is not sent to an unknown address, but the answer is the same', async () => {
    await newPerson('known@example.com')
    mailServer.mails.length = 0
    const unknown = await ask('nobody@example.com')
    const known = await ask('known@example.com')
    await expect.poll(() => mailServer.mails).toHaveLength(1)
    expect(mailServer.mails).toMatchObject([{ to: ['known@example.com'] }])
    expect(unknown.statusCode).toBe(known.statusCode)
    expect(unknown.body.replace('nobody@', '')).toBe(known.body.replace('known@', ''))
  })

  test.each([
    'a@b.c\r\nBcc: d@e.f',
    'a@b.c, d@e.f',
    'a@b.c;d@e.f',
    'A <a@b.c>',
    'x',
  ])('is not sent to %j, which is not an address', async (email) => {
    mailServer.mails.length = 0
    expect((await ask(email)).statusCode).toBe(400)
    expect(mailServer.mails).toEqual([])
  })

  test('is sent at most three times in 15 minutes, replaces the earlier one, and the answer is the same', async () => {
    const email = 'often@example.com'
    await newPerson(email)
    mailServer.mails.length = 0
    const bodies = new Set<string>()
    const links: string[] = []
    for (const count of [1, 2, 3]) {
      bodies.add((await ask(email)).body)
      await expect.poll(() => mailServer.mails).toHaveLength(count)
      links.push(new URL(linkIn(mailServer.mails.at(-1)?.source ?? '')).pathname)
    }
    bodies.add((await ask(email)).body)
    await expect.poll(() => service.log.join('')).toContain('three were sent to the address')
    expect([mailServer.mails.length, bodies.size]).toEqual([3, 1])
    const statuses: number[] = []
    for (const link of links) statuses.push((await postForm(service, link)).statusCode)
    expect(statuses).toEqual([403, 403, 303])
  })

  test('that the mail server refuses is logged without the link, and the answer is the same', async () => {
    const refusing = await startMailServer({ refuse: 'mail' })
    const failing = await startService({ SMTP_URL: refusing.url, ...settings })
    const own = await makeWorld(failing)
    await createPerson(own.operator, {
      workspaceID: own.workspaceID,
      name: 'Person',
      email: 'full@example.com',
    })
    expect((await postForm(failing, '/signin/mail', { email: 'full@example.com' })).statusCode).toBe(200)
    await expect.poll(() => failing.log.join('')).toContain('the sign-in mail was not sent')
    expect(failing.log.join('')).not.toContain('/signin/link/')
  })
})

test('the sign-in page offers mail only if there is a mail server', async () => {
  const without = await startService()
  expect((await service.app.inject('/signin')).body).toContain('Mail me a sign-in link')
  expect((await without.app.inject('/signin')).body).not.toContain('Mail me a sign-in link')
})

test('the HTML of a mail shows names and addresses as text', () => {
  const link = { label: 'Join', url: 'https://chat.example.com/a?b&c' }
  const { html } = mailBody({ text: 'Join <b>R&D</b>.', link, note: '"Note"' })
  expect(html).toContain('<p>Join &lt;b&gt;R&amp;D&lt;/b&gt;.</p>')
  expect(html).toContain('href="https://chat.example.com/a?b&amp;c"')
  expect(html).toContain('&quot;Note&quot;')
})
