import { afterEach, describe, expect, test, vi } from 'vitest'
import { deactivateAccount } from '../src/accounts/change-account.ts'
import { createOperatorToken } from '../src/accounts/operator-tokens/operator-tokens.ts'
import { deleteApp } from '../src/apps/change-app.ts'
import { installApp } from '../src/apps/installations/install-app.ts'
import { uninstallApp } from '../src/apps/installations/uninstall-app.ts'
import { deleteWebhook, disableWebhook } from '../src/apps/webhooks/change-webhook.ts'
import { updateThread } from '../src/messages/thread-changes/update-thread.ts'
import { scopes } from '../src/scopes.ts'
import { deletePerson } from '../src/workspaces/users/delete-user.ts'
import { graphqlAs, postForm, sameOrigin, signIn } from './support/browser-session.ts'
import { makeClient, refresh, tokensFrom } from './support/consent.ts'
import { makeWebhook, makeWorld, postToWebhook } from './support/factories.ts'
import { mutation } from './support/mutations.ts'
import { startService } from './support/service.ts'
import { signedIn } from './support/signed-in.ts'
import { download, uploadByTicket } from './support/uploads.ts'

const service = await startService({
  TOKEN_RATE_PER_MINUTE: '0',
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
  DOWNLOAD_TTL_SECONDS: '600',
})
const { db } = service.contextOf({ kind: 'operator' })
const hourMs = 60 * 60_000
const offsets = [2, -2]

afterEach(() => void vi.useRealTimers())

/** Changes the clock of this process. The clock of the database stays right. */
function shiftClock(hours: number): void {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * hourMs })
}

// Columns that hold a time in the future.
const deadlines = ['expires_at', 'sweep_at']

/** Returns the columns that hold a time that is at least an hour away from the time of the database. */
async function wrongTimes(): Promise<string[]> {
  const columns = await db.$queryRaw<{ table: string; column: string }[]>`
    SELECT c.table_name AS "table", c.column_name AS "column"
    FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'timestamp with time zone'
    ORDER BY 1, 2`
  const wrong: string[] = []
  let values = 0
  for (const { table, column } of columns) {
    if (deadlines.includes(column) || table.startsWith('_')) continue
    const [found] = await db.$queryRawUnsafe<[{ wrong: bigint; all: bigint }]>(`
      SELECT count("${column}") AS "all", count("${column}") FILTER (
        WHERE "${column}" NOT BETWEEN now() - interval '1 hour' AND now() + interval '1 hour') AS wrong
      FROM "${table}"`)
    values += Number(found.all)
    if (found.wrong > 0n) wrong.push(`${table}.${column}`)
  }
  expect(values).toBeGreaterThan(50)
  return wrong
}

describe.each(offsets)('a process whose clock is %i hours off', (hours) => {
  test('stores only times of the database', async () => {
    shiftClock(hours)
    const world = await makeWorld(service, [...scopes])
    const { operator, workspaceID, publicGroup, app, webhook } = world
    const admin = { ...(await signedIn(service, world, 'admin')), workspaceID }
    const member = await signedIn(service, world, 'member')
    await postForm(
      service,
      '/account/password',
      { password: 'winter-morning-bread' },
      { cookie: admin.cookie, ...sameOrigin },
    )
    await createOperatorToken(operator, { name: `clock ${hours}` })
    const input = { name: 'Script', scopes: ['groups:read'], expiresInDays: 1 }
    const create = mutation('createPersonalAccessToken', 'accessToken')
    const personal = (await admin.ask(create, { input })).data.createPersonalAccessToken.accessToken
    expect((await service.graphql(personal, '{ me { id } }')).data.me.id).toBe(admin.id)
    const client = await makeClient(world)
    const tokens = await tokensFrom(service, admin, client)
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(200)
    await uploadByTicket(service, app.token, 'bytes')
    const posted = await postToWebhook(service, webhook.path, {
      target: publicGroup.id,
      threadSubject: 'Clock',
      text: 'x',
    })
    const { threadID } = posted.json()
    await updateThread(world.as(webhook.userID), { threadID, closed: true })
    await disableWebhook(operator, { webhookID: webhook.id })
    await deleteWebhook(operator, { webhookID: (await makeWebhook(operator, workspaceID, 'Old')).id })
    await uninstallApp(operator, { workspaceID, appID: app.id })
    await installApp(operator, { workspaceID, appID: app.id, scopes: ['groups:read'] })
    await deleteApp(operator, { appID: client.id })
    await deletePerson(operator, { userID: member.id })
    await deactivateAccount(operator, { email: member.email })
    expect(await wrongTimes()).toEqual([])
  })

  test('starts sessions that can set a forgotten password for an hour of the database', async () => {
    const { operator } = await makeWorld(service)
    const email = `clock${hours}@example.com`
    const setPassword = (cookie: string) =>
      postForm(service, '/account/password', { password: 'winter-morning-bread' }, { cookie, ...sameOrigin })
    await setPassword(await signIn(service, operator, email))
    const statusAfter = async (minutes: number, { checkedBy }: { checkedBy: number }) => {
      shiftClock(hours)
      const cookie = await signIn(service, operator, email)
      shiftClock(checkedBy)
      await db.$executeRaw`
        UPDATE sessions SET created_at = created_at - make_interval(mins => ${minutes}) WHERE may_reset_password`
      const { statusCode } = await setPassword(cookie)
      await db.session.deleteMany()
      return statusCode
    }
    expect({
      inTime: await statusAfter(59, { checkedBy: 0 }),
      inTimeByShiftedClock: await statusAfter(59, { checkedBy: hours }),
      late: await statusAfter(61, { checkedBy: 0 }),
      lateByShiftedClock: await statusAfter(61, { checkedBy: hours }),
    }).toEqual({ inTime: 303, inTimeByShiftedClock: 303, late: 400, lateByShiftedClock: 400 })
  })

  test('creates file links that work, and opens the links of other processes', async () => {
    const { app } = await makeWorld(service)
    shiftClock(hours)
    const file = await uploadByTicket(service, app.token, 'bytes')
    const [{ left }] = await db.$queryRaw<[{ left: number }]>`
      SELECT ${Number(new URL(file.url).searchParams.get('expires'))} - extract(epoch FROM now())::float AS left`
    expect(left).toBeGreaterThan(540)
    expect(left).toBeLessThanOrEqual(601)
    for (const opener of [hours, 0, -hours]) {
      shiftClock(opener)
      const { statusCode, headers } = await download(service, file)
      expect({ opener, statusCode, cached: headers['cache-control'] }).toEqual({
        opener,
        statusCode: 200,
        cached: expect.stringMatching(/^private, max-age=(600|5[5-9]\d)$/),
      })
    }
  })

  test('refuses file links that have expired by the time of the database', async () => {
    const short = await startService({ DOWNLOAD_TTL_SECONDS: '1' })
    const { app } = await makeWorld(short)
    const file = await uploadByTicket(short, app.token, 'bytes')
    shiftClock(hours)
    await expect.poll(async () => (await download(short, file)).statusCode).toBe(403)
  })
})

test('a process whose clock is 31 days ahead lists the sessions of a person', async () => {
  const world = await makeWorld(service)
  const { cookie } = await signedIn(service, world, 'member')
  shiftClock(31 * 24)
  const query = '{ viewer { sessions { nodes { isCurrent } } } }'
  const { data } = await graphqlAs(service, { cookie, workspaceID: world.workspaceID }, query)
  expect(data.viewer.sessions.nodes).toEqual([{ isCurrent: true }])
})
