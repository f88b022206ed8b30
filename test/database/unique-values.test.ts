import { expect, test } from 'vitest'
import { generalGroupID } from '../../src/groups/general-group-id.ts'
import { atEnd } from '../support/at-end.ts'
import { migratedFrom } from '../support/old-database.ts'

const workspaceID = 'wks_100000000000000000000000000'
const long = 'x'.repeat(100)

test('duplicates from before the unique indexes get other names, and later people lose the address', async () => {
  const { db, close } = await migratedFrom('20261228400000', async (connection) => {
    const insert = (table: string, columns: string, rows: string[]) =>
      connection.exec(
        `INSERT INTO ${table} (workspace_id, ${columns}) VALUES ${rows.map((row) => `('${workspaceID}', ${row})`).join(', ')}`,
      )
    await connection.exec('BEGIN')
    await connection.exec(`INSERT INTO workspaces (id, name) VALUES ('${workspaceID}', 'W')`)
    const at = (second: number) => `'2026-01-01 00:00:0${second}'`
    await insert('groups', 'id, name, is_private, created_at', [
      `'${generalGroupID(workspaceID)}', 'General', false, ${at(0)}`,
      `'grp_1', 'builds', false, ${at(2)}`,
      `'grp_2', 'Builds', false, ${at(1)}`,
      `'grp_3', 'BUILDS', false, ${at(3)}`,
      `'grp_4', 'Builds', true, ${at(4)}`,
      `'grp_5', 'builds (2)', false, ${at(5)}`,
      `'grp_6', '${long}', false, ${at(6)}`,
      `'grp_7', '${long}', false, ${at(7)}`,
    ])
    await insert('users', 'id, kind, name, email, deleted_at', [
      "'usr_1', 'webhook', 'Hook', NULL, NULL",
      "'usr_2', 'webhook', 'hook', NULL, NULL",
      "'usr_3', 'webhook', 'hook', NULL, NULL",
      "'usr_4', 'person', 'First', 'Dup@example.com', NULL",
      "'usr_5', 'person', 'Second', 'dup@example.com', NULL",
      "'usr_6', 'person', 'Gone', 'dup@example.com', now()",
    ])
    const hash = "decode(repeat('00', 32), 'hex')"
    await insert('webhooks', 'id, user_id, name, key_hash, deleted_at', [
      `'wbh_1', 'usr_1', 'Hook', ${hash}, NULL`,
      `'wbh_2', 'usr_2', 'hook', ${hash}, NULL`,
      `'wbh_3', 'usr_3', 'hook', ${hash}, now()`,
    ])
    await connection.exec('COMMIT')
  })
  atEnd(close)
  const namesIn = async (rows: Promise<{ id: string; name: string }[]>) =>
    Object.fromEntries((await rows).map(({ id, name }) => [id, name]))
  expect(await namesIn(db.group.findMany())).toEqual({
    [generalGroupID(workspaceID)]: 'General',
    grp_1: 'builds (3)',
    grp_2: 'Builds',
    grp_3: 'BUILDS (4)',
    grp_4: 'Builds',
    grp_5: 'builds (2)',
    grp_6: long,
    grp_7: `${'x'.repeat(96)} (2)`,
  })
  expect(await namesIn(db.webhook.findMany())).toEqual({ wbh_1: 'Hook', wbh_2: 'hook (2)', wbh_3: 'hook' })
  const users = await db.user.findMany()
  expect(Object.fromEntries(users.map(({ id, name, email }) => [id, [name, email]]))).toEqual({
    usr_1: ['Hook', null],
    usr_2: ['hook (2)', null],
    usr_3: ['hook', null],
    usr_4: ['First', 'Dup@example.com'],
    usr_5: ['Second', null],
    usr_6: ['Gone', 'dup@example.com'],
  })
})
