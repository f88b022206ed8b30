import { createClient } from 'graphql-sse'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { removeRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { makeWorld, say } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'
import { latestCursor } from '../support/subscribers.ts'

const service = await startService()
let url = ''
beforeAll(async () => {
  url = `${await service.app.listen({ port: 0 })}/public/graphql`
  service.app.eventLog.start()
})

type Change = { cursor: string; threadID: string | null; thread: { unreadCount: number } | null }

const query =
  'subscription ($after: String) { inbox(after: $after) { cursor threadID thread { unreadCount } } }'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** Follows the inbox after a cursor, or from now on. Appends the changes to `changes`. */
async function follow(token: string, after?: string) {
  const changes: Change[] = []
  const errors: unknown[] = []
  const variables = { after: after ?? (await latestCursor(service, token)) }
  const client = createClient({ url, headers: { authorization: `Bearer ${token}` }, retryAttempts: 0 })
  const sink = {
    next: ({ data, errors: more = [] }: { data?: { inbox?: Change } | null; errors?: readonly object[] }) => {
      if (data?.inbox) changes.push(data.inbox)
      errors.push(...more)
    },
    error: (error: unknown) => void errors.push(error),
    complete: () => undefined,
  }
  open.push(client.subscribe<{ inbox?: Change }>({ query, variables }, sink))
  return { changes, errors }
}

const threadsOf = (changes: Change[]) => changes.map(({ threadID }) => threadID)

describe('the inbox of a caller', () => {
  test('has the threads with new messages, with the number of unread messages', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(service)
    const { changes } = await follow(app.token)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'one', 'S')
    await expect.poll(() => changes.at(-1)).toMatchObject({ threadID: thread.id, thread: { unreadCount: 1 } })
    await say(as(ada.id), [publicGroup.id], 'in the chat')
    await expect.poll(() => changes.at(-1)?.threadID).not.toBe(thread.id)
  })

  test('has a change without a thread if the person pins something in another window', async () => {
    const world = await makeWorld(service)
    const nora = await signedIn(service, world, 'member')
    const input = { name: 'Page', scopes: ['threads:read'], expiresInDays: 1 }
    const created = await nora.ask(mutation('createPersonalAccessToken', 'accessToken'), { input })
    const { changes } = await follow(created.data.createPersonalAccessToken.accessToken)
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'one', 'S')
    await expect
      .poll(async () => {
        await nora.ask(mutation('pinThread', '__typename'), { input: { threadID: thread.id } })
        return threadsOf(changes)
      })
      .toContain(null)
  })

  test('has a thread that the caller reads in another window', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(service)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'one', 'S')
    const { changes } = await follow(app.token)
    const mark = 'mutation ($id: ID!) { markRead(input: { threadID: $id }) { thread { unreadCount } } }'
    await expect
      .poll(async () => {
        await service.graphql(app.token, mark, { id: thread.id })
        return changes.at(-1)
      })
      .toMatchObject({ threadID: thread.id, thread: { unreadCount: 0 } })
  })

  test('says that the list changed when the caller joins or leaves a group', async () => {
    const { app, operator, workspaceID } = await makeWorld(service)
    const group = await createGroup(operator, { workspaceID, name: 'Own', isPrivate: true })
    const { changes } = await follow(app.token)
    await addMembers(operator, { groupID: group.id, userIDs: [app.userID] })
    await expect.poll(() => threadsOf(changes)).toEqual([null])
    await removeMembers(operator, { groupID: group.id, userIDs: [app.userID] })
    await expect.poll(() => threadsOf(changes)).toEqual([null, null])
  })

  test('continues after a cursor, and then has each change at least once', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(service)
    const after = await latestCursor(service, app.token)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'one', 'S')
    const first = await follow(app.token, after)
    await expect.poll(() => threadsOf(first.changes)).toEqual([thread.id])
    open.pop()?.()
    const { thread: other } = await say(as(ada.id), [publicGroup.id], 'two', 'T')
    const second = await follow(app.token, first.changes[0]?.cursor)
    await expect.poll(() => threadsOf(second.changes)).toEqual([other.id])
  })
})

test('a reader that is far behind gets up to 500 threads, and for more threads one change of the whole list', async () => {
  const { app, as, ada, operator, publicGroup } = await makeWorld(service)
  const after = await latestCursor(service, app.token)
  const start = async (subject: string) => (await say(as(ada.id), [publicGroup.id], 'one', subject)).thread.id
  const threadIDs = await Promise.all(Array.from({ length: 500 }, (_, number) => start(`S${number}`)))
  await sequenceEvents(operator.db)
  const within = await follow(app.token, after)
  await expect.poll(() => threadsOf(within.changes).sort()).toEqual(threadIDs.sort())
  open.pop()?.()
  await start('one more')
  await sequenceEvents(operator.db)
  const beyond = await follow(app.token, after)
  await expect.poll(() => beyond.changes).toMatchObject([{ threadID: null, thread: null }])
  const next = await start('next')
  await expect.poll(() => threadsOf(beyond.changes)).toEqual([null, next])
  open.pop()?.()
  // The cursor of the change is beyond all these threads.
  const later = await follow(app.token, beyond.changes[0]?.cursor)
  await expect.poll(() => threadsOf(later.changes)).toEqual([next])
})

test('a caller receives nothing about a hidden thread, and receives a thread without data after being removed from it', async () => {
  const { app, as, ada, grace } = await makeWorld(service)
  const { changes } = await follow(app.token)
  await say(as(ada.id), [grace.id], 'hidden', 'S')
  const { thread } = await say(as(ada.id), [app.userID, grace.id], 'seen', 'T')
  await expect.poll(() => changes.at(-1)).toMatchObject({ threadID: thread.id, thread: { unreadCount: 1 } })
  await removeRecipients(as(ada.id), { threadID: thread.id, recipientIDs: [app.userID] })
  await expect.poll(() => changes.at(-1)).toMatchObject({ threadID: thread.id, thread: null })
  expect(new Set(threadsOf(changes))).toEqual(new Set([thread.id]))
})

test('a token without the scope threads:read is refused', async () => {
  const { app } = await makeWorld(service, ['workspaces:read', 'groups:read'])
  const { errors } = await follow(app.token, '')
  await expect
    .poll(() => errors)
    .toEqual([
      expect.objectContaining({
        extensions: expect.objectContaining({ code: 'INSUFFICIENT_SCOPE', requiredScope: 'threads:read' }),
      }),
    ])
})

test('the inbox of a person has a thread that mentions them, or a group of theirs, and is not theirs', async () => {
  const world = await makeWorld(service)
  const { as, ada, publicGroup, generalGroupID } = world
  const { thread } = await say(as(ada.id), [publicGroup.id], 'Nobody', 'S')
  const { ask } = await signedIn(service, world, 'member')
  const created = await ask(
    'mutation ($input: CreatePersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { accessToken } }',
    { input: { name: 'Inbox', scopes: ['threads:read', 'threads.messages:read'], expiresInDays: 1 } },
  )
  expect(created.errors).toBeUndefined()
  const token = created.data.createPersonalAccessToken.accessToken
  const { changes } = await follow(token)
  await say(as(ada.id), thread.id, 'nobody')
  const own = await say(as(ada.id), [generalGroupID], 'own', 'T')
  await expect.poll(() => threadsOf(changes)).toEqual([own.thread.id])
  const mention = () => say(as(ada.id), thread.id, `[All](skein:${generalGroupID})`)
  const { message } = await mention()
  await expect.poll(() => threadsOf(changes)).toEqual([own.thread.id, thread.id])
  // The mention ends. A stream that begins after a mention also has its end.
  await editMessage(as(ada.id), { messageID: message.id, text: 'Nobody' })
  await expect.poll(() => threadsOf(changes)).toEqual([own.thread.id, thread.id, thread.id])
  const last = await mention()
  await expect.poll(() => changes).toHaveLength(4)
  const later = await follow(token)
  await say(as(ada.id), own.thread.id, 'The stream has begun')
  await expect.poll(() => threadsOf(later.changes)).toEqual([own.thread.id])
  await deleteMessage(as(ada.id), { messageID: last.message.id })
  await expect.poll(() => threadsOf(later.changes)).toEqual([own.thread.id, thread.id])
})
