import { expect, test } from 'vitest'
import type { Context } from '../../../src/context.ts'
import { Prisma } from '../../../src/generated/prisma/client.ts'
import { listGroups } from '../../../src/groups/list-groups.ts'
import { indexMessages } from '../../../src/messages/search/indexing/index-messages.ts'
import { searchMessages } from '../../../src/messages/search/search-messages.ts'
import { newID } from '../../../src/platform/ids.ts'
import { listThreads } from '../../../src/threads/list/list-threads.ts'
import { listUsers } from '../../../src/users/list-users.ts'
import { actorOf } from '../../support/factories.ts'
import { migratedFrom } from '../../support/old-database.ts'
import { startService } from '../../support/service.ts'

// These rows are from the time when names had no folded text and a search did not fold ł.
const wks = newID('wks')
const general = `grp_${wks.slice(4)}`
const [ada, thread, first, second] = [newID('usr'), newID('thr'), newID('msg'), newID('msg')]
const database = await migratedFrom('20261228000000', (connection) =>
  connection.exec(`
    INSERT INTO workspaces (id, name) VALUES ('${wks}', 'Before');
    INSERT INTO groups (workspace_id, id, name) VALUES ('${wks}', '${general}', 'Zespół');
    INSERT INTO users (workspace_id, id, kind, name) VALUES ('${wks}', '${ada}', 'person', 'Łucja');
    INSERT INTO group_members (workspace_id, group_id, user_id) VALUES ('${wks}', '${general}', '${ada}');
    INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, last_position)
      VALUES ('${wks}', '${thread}', 'thread', 'Główny', '${ada}', 2);
    INSERT INTO recipients (workspace_id, thread_id, group_id) VALUES ('${wks}', '${thread}', '${general}');
    INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text) VALUES
      ('${wks}', '${first}', '${thread}', 1, '${ada}', 'Plain'), ('${wks}', '${second}', '${thread}', 2, '${ada}', 'Żółw');
    INSERT INTO event_heads (workspace_id, position) VALUES ('${wks}', 0);`),
)
const service = await startService({}, database)
const ctx: Context = service.contextOf(actorOf(wks, ada))
const neverUnread = () => Prisma.sql`FALSE`

test('names and subjects of an earlier version are found', async () => {
  const names = async (found: Promise<{ nodes: readonly { name: string }[] }>) =>
    (await found).nodes.map(({ name }) => name)
  expect(await names(listUsers(ctx, wks, { search: 'lucja' }))).toEqual(['Łucja'])
  expect(await names(listGroups(ctx, wks, { search: 'zespol' }))).toEqual(['Zespół'])
  const filter = { subjectContains: 'glowny' }
  const threads = await listThreads(ctx, { order: 'created', filter }, neverUnread)
  expect(threads.nodes.map(({ id }) => id)).toEqual([thread])
})

test('messages of an earlier version whose words have changed are indexed again', async () => {
  const found = async (query: string) =>
    (await searchMessages(ctx, { query }, { first: 10 })).nodes.map(({ id }) => id)
  expect(await found('zolw')).toEqual([second])
  expect(await found('glowny')).toEqual([first])
  const rest = await database.db.$queryRaw`SELECT message_id FROM messages_to_index`
  expect(rest).toEqual([])
  expect(await indexMessages(database.db, { workspaceID: wks, schemes: ['skein'] })).toEqual({
    hasMore: false,
    behindMs: undefined,
  })
})
