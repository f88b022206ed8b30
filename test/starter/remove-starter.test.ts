import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { storeCalls } from '../../src/messages/webhook-calls/store-calls.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { makeWorld } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const { operator } = await makeWorld(service)
const { db } = operator
const path = join(service.dataDir, 'starter.json')
const remove = (input: object = {}) =>
  mutate(service, operatorToken, 'removeStarterWorkspace', input, 'removedWorkspaceID')
const removed = async (input: object = {}) => (await remove(input)).data.removeStarterWorkspace

type Starter = { workspaceID: string; userIDs: string[]; appID: string; webhookURL: string }
let starter: Starter

beforeEach(async () => {
  await removed({ force: true })
  await service.graphql(operatorToken, 'mutation { createStarterWorkspace { path } }')
  starter = JSON.parse(await readFile(path, 'utf8'))
})

/** Returns how many rows each table has in the workspace, of the tables that have any. */
async function rowsIn(workspaceID: string): Promise<Record<string, number>> {
  const tables = await db.$queryRawUnsafe<{ name: string }[]>(`
    SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'workspace_id'`)
  const counted: Record<string, number> = {}
  for (const { name } of tables) {
    const sql = `SELECT count(*)::integer AS count FROM ${name} WHERE workspace_id = $1`
    const [row] = await db.$queryRawUnsafe<{ count: number }[]>(sql, workspaceID)
    if (row?.count) counted[name] = row.count
  }
  return counted
}

describe('removeStarterWorkspace', () => {
  test('removes the rows of the workspace, and no others, and starter.json', async () => {
    const world = await makeWorld(service)
    const others = await rowsIn(world.workspaceID)
    const { workspaceID, webhookURL } = starter
    const posted = await service.app.inject({
      method: 'POST',
      url: new URL(webhookURL).pathname,
      payload: { text: 'x', target: workspaceID },
    })
    expect(posted.statusCode).toBe(200)
    expect(Object.keys(await rowsIn(workspaceID)).length).toBeGreaterThan(10)
    expect(await removed()).toEqual({ removedWorkspaceID: workspaceID })
    const { audit_entries: entries, ...left } = await rowsIn(workspaceID)
    expect(left).toEqual({})
    expect(entries).toBeGreaterThan(0)
    expect(await db.workspace.findMany({ where: { id: workspaceID } })).toEqual([])
    expect(existsSync(path)).toBe(false)
    expect(await rowsIn(world.workspaceID)).toEqual(others)
    const again = { method: 'POST', url: new URL(webhookURL).pathname, payload: { text: 'x' } } as const
    expect((await service.app.inject(again)).statusCode).toBe(404)
  })

  test('can be repeated, and leaves one entry in the audit log', async () => {
    const { workspaceID } = starter
    await removed()
    expect(await removed()).toEqual({ removedWorkspaceID: null })
    const entries = await db.auditEntry.findMany({
      where: { action: 'removeStarterWorkspace', objectID: workspaceID },
    })
    expect(entries).toMatchObject([{ objectName: 'Skein starter', actorKind: 'operator', outcome: 'done' }])
  })

  test('removes a starter.json whose workspace is already gone', async () => {
    const text = await readFile(path, 'utf8')
    await removed()
    await writeFile(path, text)
    expect(await removed()).toEqual({ removedWorkspaceID: null })
    expect(existsSync(path)).toBe(false)
  })

  test.each([
    ['1 other people', 'createUser', { name: 'Eve' }],
    ['1 other apps', 'createApp', { name: 'Bot', redirectURIs: ['https://bot.example.com/'] }],
    ['1 other webhooks', 'createWebhook', { name: 'Pipeline' }],
  ])('refuses a workspace that has %s, unless force is set', async (what, mutation, input) => {
    const { workspaceID } = starter
    await mutated(service, operatorToken, mutation, { workspaceID, ...input }, '__typename')
    const { errors } = await remove()
    expect(errors).toMatchObject([
      { message: expect.stringContaining(what), extensions: { code: 'CONFLICT', reason: 'STARTER_IN_USE' } },
    ])
    expect(existsSync(path)).toBe(true)
    expect(await removed({ force: true })).toEqual({ removedWorkspaceID: workspaceID })
    expect((await rowsIn(workspaceID)).users).toBeUndefined()
  })

  test('refuses a person of the starter who has another address now', async () => {
    const [userID] = starter.userIDs
    await mutated(service, operatorToken, 'updateUser', { userID, email: 'ada@company.test' }, '__typename')
    expect((await remove()).errors).toMatchObject([{ message: expect.stringContaining('1 other people') }])
  })

  test('refuses a workspace whose app was installed elsewhere, even with force', async () => {
    const { id: workspaceID } = await createWorkspace(operator, { name: 'Elsewhere' })
    const { appID } = starter
    await mutated(service, operatorToken, 'installApp', { appID, workspaceID }, '__typename')
    const { errors } = await remove({ force: true })
    expect(errors).toMatchObject([{ message: expect.stringContaining('1 installations of its apps') }])
    await mutated(service, operatorToken, 'uninstallApp', { appID, workspaceID }, '__typename')
    await db.$executeRaw`DELETE FROM grants WHERE workspace_id = ${workspaceID}`
    await db.$executeRaw`DELETE FROM access_tokens WHERE workspace_id = ${workspaceID}`
    await db.$executeRaw`DELETE FROM installations WHERE workspace_id = ${workspaceID}`
  })

  test('requires the operator token', async () => {
    const { app } = await makeWorld(service)
    const answer = await mutate(service, app.token, 'removeStarterWorkspace', {}, '__typename')
    expect([answer.data, existsSync(path)]).toEqual([undefined, true])
  })
})

// The embedded database has one connection. Therefore nothing is written beside the removal.
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)(
  'a call that is stored during the removal',
  () => {
    test('leaves no row if the removal began before it', async () => {
      const webhook = await db.webhook.findFirstOrThrow({ where: { workspaceID: starter.workspaceID } })
      const remover = await inOpenTransaction(db, 'DELETE FROM webhooks WHERE id = $1', [webhook.id])
      const call = {
        workspaceID: starter.workspaceID,
        webhook: { id: webhook.id, keyHash: Buffer.from(webhook.keyHash).toString('hex') },
        ...{ id: undefined, answeredAt: performance.now(), method: 'POST', format: null, targetID: null },
        ...{
          status: 400,
          sizeBytes: 1,
          results: [],
          skipped: null,
          problems: [],
          ignored: [],
          content: null,
        },
      }
      const stored = storeCalls({ db, config: service.config, calls: [call] })
      await untilLockWaits(db)
      await remover.query('COMMIT')
      await Promise.all([stored, remover.end()])
      expect(await db.webhookCall.count({ where: { webhookID: webhook.id } })).toBe(0)
    })

    test('leaves no row if it was written while the removal began', async () => {
      const { workspaceID } = starter
      const storing = await inOpenTransaction(
        db,
        `WITH webhook AS (SELECT workspace_id, id FROM webhooks WHERE workspace_id = $1 FOR KEY SHARE)
       INSERT INTO webhook_calls (workspace_id, webhook_id, id, created_at, method, status, size_bytes, outcome, message_ids, thread_ids)
       SELECT workspace_id, id, 'whc_1', now(), 'POST', 400, 1, '{}', '{}', '{}' FROM webhook`,
        [workspaceID],
      )
      const removing = removed()
      await untilLockWaits(db)
      await storing.query('COMMIT')
      await Promise.all([removing, storing.end()])
      expect((await rowsIn(workspaceID)).webhook_calls).toBeUndefined()
    })
  },
)
