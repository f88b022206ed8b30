import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { newID } from '../../src/platform/ids.ts'
import { actorOf, postToWebhook } from '../support/factories.ts'
import { migratedFrom } from '../support/old-database.ts'
import { operatorToken, startService } from '../support/service.ts'

// These rows are from the time when the General group had the ID of its workspace.
const wks = newID('wks')
const [ada, grace, hook] = [newID('usr'), newID('usr'), newID('usr')].sort()
const [builds, webhook] = [newID('grp'), newID('wbh')]
const threads = {
  chat: newID('thr'),
  alone: newID('thr'),
  several: newID('thr'),
  changed: newID('thr'),
  other: newID('thr'),
}
const targetOf = (...ids: (string | undefined)[]) =>
  createHash('sha256').update(ids.sort().join(' ')).digest('hex')
const added = JSON.stringify({ type: 'recipientsAdded', recipientIDs: [builds] })
const removed = JSON.stringify({ type: 'recipientsRemoved', recipientIDs: [wks, grace] })
const plainThread = (id: string, starter: string | undefined, target: string, key: string, messages = 0) =>
  `('${wks}', '${id}', 'thread', NULL, '${starter}', '${target}', '${key}', ${messages})`

const database = await migratedFrom('20261201000000', (connection) =>
  connection.exec(`
    INSERT INTO workspaces (id, name) VALUES ('${wks}', 'Before');
    INSERT INTO groups (workspace_id, id, name) VALUES ('${wks}', '${wks}', 'General'), ('${wks}', '${builds}', 'Builds');
    INSERT INTO users (workspace_id, id, kind, name)
      VALUES ('${wks}', '${ada}', 'person', 'Ada'), ('${wks}', '${grace}', 'person', 'Grace'), ('${wks}', '${hook}', 'webhook', 'Alerts');
    INSERT INTO group_members (workspace_id, group_id, user_id, role)
      VALUES ('${wks}', '${wks}', '${ada}', 'admin'), ('${wks}', '${wks}', '${grace}', 'member'), ('${wks}', '${wks}', '${hook}', 'member');
    INSERT INTO webhooks (workspace_id, id, user_id, name, key_hash) VALUES ('${wks}', '${webhook}', '${hook}', 'Alerts', sha256('key'));
    INSERT INTO threads (workspace_id, id, kind, chat_group_id, started_by_id, thread_by_target, thread_by, last_position) VALUES
      ('${wks}', '${threads.chat}', 'group_chat', '${wks}', NULL, NULL, NULL, 0),
      ${plainThread(threads.alone, hook, wks, 'alone')},
      ${plainThread(threads.several, ada, targetOf(grace, wks), 'several')},
      ${plainThread(threads.changed, ada, targetOf(grace, wks), 'changed', 2)},
      ${plainThread(threads.other, ada, targetOf(grace, builds), 'other')};
    INSERT INTO recipients (workspace_id, thread_id, user_id, group_id) VALUES
      ('${wks}', '${threads.alone}', NULL, '${wks}'),
      ('${wks}', '${threads.several}', NULL, '${wks}'), ('${wks}', '${threads.several}', '${grace}', NULL),
      ('${wks}', '${threads.changed}', NULL, '${builds}'),
      ('${wks}', '${threads.other}', NULL, '${builds}'), ('${wks}', '${threads.other}', '${grace}', NULL);
    INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, event) VALUES
      ('${wks}', '${newID('msg')}', '${threads.changed}', 1, '${ada}', 'x', '${added}'),
      ('${wks}', '${newID('msg')}', '${threads.changed}', 2, '${ada}', 'x', '${removed}');`),
)
const service = await startService({}, database)
const general = `grp_${wks.slice(4)}`
const asAda: Context = service.contextOf(actorOf(wks, String(ada)))

test('the General group has its new ID and keeps its members', async () => {
  const { data } = await service.graphql(
    operatorToken,
    `{ workspaces { nodes { id generalGroup { id isGeneral members { nodes { id } } } } } }`,
  )
  const members = { nodes: [ada, grace, hook].map((id) => ({ id })) }
  expect(data.workspaces.nodes).toEqual([
    { id: wks, generalGroup: { id: general, isGeneral: true, members } },
  ])
})

test.each([wks, general])('a webhook finds the chat and the threadBy thread by %s', async (target) => {
  const path = `/webhook/${webhook}/key`
  const chat = await postToWebhook(service, path, { text: 'x', target })
  const thread = await postToWebhook(service, path, { text: 'x', target, threadBy: 'alone' })
  expect([chat.json().threadID, thread.json().threadID]).toEqual([threads.chat, threads.alone])
})

test.each([
  ['several', [grace, wks], threads.several],
  ['several', [general, grace], threads.several],
  ['changed', [general, grace], threads.changed],
  ['other', [builds, grace], threads.other],
])('threadBy %s finds the thread by the recipients that it was created with', async (threadBy, ids, id) => {
  const thread = { recipients: ids.map(String), threadBy }
  expect(await sendMessage(asAda, { thread, message: { text: 'x' } })).toMatchObject({ threadID: id })
})

test('an admin of the workspace can still update groups', async () => {
  expect(await updateGroup(asAda, { groupID: builds, name: 'Pipelines' })).toMatchObject({
    name: 'Pipelines',
  })
})

test('no row refers to the General group by the ID of the workspace', async () => {
  const left = await asAda.db.$queryRaw`
    SELECT 'groups' AS place FROM groups WHERE id LIKE 'wks%'
    UNION ALL SELECT 'group_members' FROM group_members WHERE group_id LIKE 'wks%'
    UNION ALL SELECT 'threads' FROM threads WHERE chat_group_id LIKE 'wks%' OR thread_by_target LIKE 'wks%'
    UNION ALL SELECT 'recipients' FROM recipients WHERE recipient_id LIKE 'wks%'
    UNION ALL SELECT 'messages' FROM messages WHERE event::text LIKE '%wks%'`
  expect(left).toEqual([])
})
