import { describe, expect, test } from 'vitest'
import { cookieOf, graphqlAs, postForm } from '../support/browser-session.ts'
import { makeApp, makeWorld } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutate, mutated, mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const mailServer = await startMailServer()
const settings = { MAIL_FROM: 'skein@example.com', SIGNIN_ATTEMPTS_PER_MINUTE: '0' }
const service = await startService({ SMTP_URL: mailServer.url, ...settings })
const document = mutation('mailSignInLink', 'user { id }')

/** What an admin of a new world does for Bob, who has joined. */
async function withBob(of = service) {
  const world = await makeWorld(of)
  const [admin, bob] = [await signedIn(of, world, 'admin'), await signedIn(of, world, 'member')]
  mailServer.mails.length = 0
  const mail = (userID = bob.id) => admin.ask(document, { input: { userID } })
  return { ...world, admin, bob, mail }
}

describe('mailSignInLink', () => {
  test('mails the person a link that signs them in, and shows it to nobody else', async () => {
    const { workspaceID, bob, mail } = await withBob()
    service.log.length = 0
    const answer = await mail()
    expect(answer).toEqual({ data: { mailSignInLink: { user: { id: bob.id } } } })
    expect(mailServer.mails).toMatchObject([{ to: [bob.email] }])
    const [{ source } = { source: '' }] = mailServer.mails
    expect(source.replaceAll('=\r\n', '')).toContain('An admin of the workspace Workshop asked for it.')
    const { pathname } = new URL(linkIn(source))
    expect(service.log.join('')).not.toContain(pathname)
    const cookie = cookieOf(await postForm(service, pathname))
    expect((await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')).data.me.id).toBe(bob.id)
    const account = await service.app.inject({ url: '/account', headers: { cookie } })
    expect(account.body).not.toContain('Current password')
  })

  test('mails at most three links to a person in 15 minutes, also at the same time', async () => {
    const { admin, operator, bob, mail } = await withBob()
    const answers = await Promise.all(Array.from({ length: 8 }, () => mail()))
    const refusals = answers.flatMap(({ errors = [] }) => errors)
    expect(refusals).toHaveLength(5)
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        message: 'At most 3 sign-in links can be mailed to a person in 15 minutes. Try again in 15 min.',
        extensions: {
          code: 'RATE_LIMITED',
          limit: { name: 'mailed-links', max: 3 },
          retryAfterSeconds: expect.toSatisfy((seconds) => seconds > 14 * 60 && seconds <= 15 * 60),
        },
      })
    expect(mailServer.mails).toHaveLength(3)
    expect((await mail(admin.id)).errors).toBeUndefined()
    const sinceFirst = async (minutes: number) => {
      await operator.db.$executeRaw`
        UPDATE sign_in_links SET mailed_at[1] = now() - make_interval(mins => ${minutes}) WHERE email = ${bob.email}`
      return codesOf(await mail())
    }
    expect(await sinceFirst(14)).toEqual(['RATE_LIMITED'])
    expect(await sinceFirst(15)).toEqual([])
    expect(await sinceFirst(14)).toEqual(['RATE_LIMITED'])
  })

  test('fails without a mail server, and says that only the operator can create a link', async () => {
    const without = await startService()
    const { mail } = await withBob(without)
    expect((await mail()).errors).toMatchObject([
      {
        message: expect.stringContaining(
          'Only the person who runs it (the operator) can create a sign-in link',
        ),
        extensions: { code: 'CONFLICT', reason: 'MAIL_SERVER_MISSING' },
      },
    ])
  })

  test('fails with the response of a mail server that refuses the address', async () => {
    const refusing = await startMailServer({ refuse: 'recipient' })
    const { mail } = await withBob(await startService({ SMTP_URL: refusing.url, ...settings }))
    expect((await mail()).errors).toMatchObject([
      { message: expect.stringContaining('No such user'), extensions: { code: 'INVALID_INPUT' } },
    ])
  })

  test('is refused for a deactivated account, a deleted person, an app user, and a person without an address', async () => {
    const { operator, app, ada, bob, mail } = await withBob()
    const refusal = async (userID?: string) =>
      (await mail(userID)).errors?.map(({ extensions }) => [extensions.code, extensions.reason])
    expect(await refusal(app.userID)).toEqual([['CONFLICT', 'USER_KIND']])
    expect(await refusal(ada.id)).toEqual([['INVALID_INPUT', undefined]])
    const { email } = bob
    await mutated(service, operatorToken, 'deactivateAccount', { email }, 'account { id }')
    expect(await refusal()).toEqual([['CONFLICT', 'DEACTIVATED']])
    await operator.db.account.update({ where: { email }, data: { deactivatedAt: null } })
    await mutated(service, operatorToken, 'deleteUser', { userID: bob.id }, 'user { id }')
    expect(await refusal()).toEqual([['NOT_FOUND', undefined]])
    expect(mailServer.mails).toEqual([])
  })

  test('is refused for a member, without the scope workspaces:write, and for a person of another workspace', async () => {
    const world = await withBob()
    const other = await withBob()
    const input = { userID: world.bob.id }
    const blind = await makeApp(service, world.operator, world.workspaceID, ['workspaces:read'])
    expect(codesOf(await world.bob.ask(document, { input }))).toEqual(['FORBIDDEN'])
    expect(codesOf(await mutate(service, blind.token, 'mailSignInLink', input, 'user { id }'))).toEqual([
      'INSUFFICIENT_SCOPE',
    ])
    expect(codesOf(await other.mail(world.bob.id))).toEqual(['NOT_FOUND'])
    expect(mailServer.mails).toEqual([])
  })
})

test('only an admin has the permission mailSignInLinks, and only if the service can send mail', async () => {
  const permissions = '{ viewer { permissions } }'
  const of = async (ask: Awaited<ReturnType<typeof withBob>>['admin']['ask']) =>
    (await ask(permissions)).data.viewer.permissions
  const { admin, bob } = await withBob()
  expect(await of(admin.ask)).toContain('mailSignInLinks')
  expect(await of(bob.ask)).toEqual([])
  const without = await withBob(await startService())
  expect(await of(without.admin.ask)).not.toContain('mailSignInLinks')
})
