import { describe, expect, test } from 'vitest'
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
    expect(body).toContain('If you have no password or have forgotten it, request a link by email.')
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

  test('is limited for each email address', async () => {
    const limited = await startService({
      SMTP_URL: mailServer.url,
      ...settings,
      SIGNIN_ATTEMPTS_PER_MINUTE: '2',
    })
    const statuses: number[] = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await postForm(limited, '/signin/mail', { email: 'a@example.com' })).statusCode)
    }
    expect(statuses).toEqual([200, 200, 429])
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
  expect((await service.app.inject('/signin')).body).toContain('Mail me a link')
  expect((await without.app.inject('/signin')).body).not.toContain('Mail me a link')
})
