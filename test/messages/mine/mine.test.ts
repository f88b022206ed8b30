import { describe, expect, onTestFinished, test } from 'vitest'
import { createGroup } from '../../../src/groups/create-group.ts'
import { addMembers } from '../../../src/groups/members/add-members.ts'
import { deleteMessage } from '../../../src/messages/delete-message.ts'
import { editMessage } from '../../../src/messages/edit-message.ts'
import { sendMessage } from '../../../src/messages/send/send-message.ts'
import { updateThread } from '../../../src/messages/thread-changes/update-thread.ts'
import { postToWebhook, say } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import { startService } from '../../support/service.ts'
import { makeInbox } from './inbox.ts'

const service = await startService()

describe('what concerns a person', () => {
  test('is nothing that happens in public groups that the person is not in', async () => {
    const { as, ada, publicGroup, inbox } = await makeInbox(service)
    await say(as(ada.id), [publicGroup.id], 'hello')
    expect(await inbox()).toEqual({ listed: {}, unread: [0, 0, 0] })
  })

  test('is what happens in the groups of the person, from joining on', async () => {
    const { as, ada, nora, publicGroup, posted, change, inbox } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: { Before: 0 }, unread: [0, 0, 0] })
    await say(as(ada.id), posted.thread.id, 'two')
    await say(as(ada.id), [publicGroup.id], 'three', 'After')
    expect(await inbox()).toEqual({ listed: { Before: 1, After: 1 }, unread: [2, 0, 0] })
    await change('leaveGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: {}, unread: [0, 0, 0] })
    await addMembers(as(ada.id), { groupID: publicGroup.id, userIDs: [nora.id] })
    expect(await inbox()).toEqual({ listed: { Before: 0, After: 0 }, unread: [0, 0, 0] })
  })

  test('is a DM, and a thread that names the person, with their unread messages', async () => {
    const { as, ada, nora, dm, inbox } = await makeInbox(service)
    const { id } = await dm()
    for (const text of ['one', 'two']) await say(as(ada.id), id, text)
    await say(as(ada.id), [nora.id], 'three', 'Named')
    expect(await inbox()).toEqual({ listed: { dm: 2, Named: 1 }, unread: [1, 2, 0] })
  })

  test('is a thread in which the person wrote or is mentioned, from that message on, until they end it', async () => {
    const { as, ada, nora, posted, publicGroup, change, mentionOf, inbox } = await makeInbox(service)
    const other = await say(as(ada.id), [publicGroup.id], 'one', 'Other')
    await say(as(nora.id), posted.thread.id, 'I see')
    await say(as(ada.id), other.thread.id, mentionOf(nora))
    expect(await inbox()).toEqual({ listed: { Before: 0, Other: 1 }, unread: [1, 0, 1] })
    await say(as(ada.id), posted.thread.id, 'Thanks')
    expect(await change('unfollowThread', { threadID: other.thread.id })).toEqual({
      isMuted: false,
      isFollowed: false,
    })
    expect(await inbox()).toEqual({ listed: { Before: 1 }, unread: [1, 0, 1] })
    await say(as(ada.id), other.thread.id, 'again')
    await say(as(nora.id), other.thread.id, 'mine')
    expect((await inbox()).listed).toEqual({ Before: 1, Other: 0 })
  })

  test('is no thread with a message that names the person and mentions nobody', async () => {
    const { as, ada, nora, publicGroup, webhook, mentionOf, inbox } = await makeInbox(service)
    const text = mentionOf(nora)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'one', 'Quiet')
    for (const more of [{ allowMentions: false }, { plain: true }]) {
      const message = { text, ...more }
      await sendMessage(as(ada.id), { threadID: thread.id, message })
      await sendMessage(as(ada.id), { thread: { recipients: [publicGroup.id], subject: 'New' }, message })
      for (const keyed of [{}, { uniqueBy: 'k' }])
        await postToWebhook(service, webhook.path, {
          target: publicGroup.id,
          subject: 'Log',
          ...message,
          ...keyed,
        })
    }
    expect(await inbox()).toEqual({ listed: {}, unread: [0, 0, 0] })
  })

  test('is a thread that the person chose to follow, from then on, but no chat', async () => {
    const { as, ada, nora, posted, publicGroup, change, inbox } = await makeInbox(service)
    const chat = await say(as(ada.id), [publicGroup.id], 'chat')
    expect(await change('followThread', { threadID: posted.thread.id })).toEqual({
      isMuted: false,
      isFollowed: true,
    })
    await say(as(ada.id), posted.thread.id, 'two')
    expect(await inbox()).toEqual({ listed: { Before: 1 }, unread: [1, 0, 0] })
    const refused = await nora.ask(mutation('followThread', 'thread { id }'), {
      input: { threadID: chat.thread.id },
    })
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'PERSISTENT_CHAT' })
  })

  test('is not what happens in a muted group, except for another reason', async () => {
    const { as, ada, nora, posted, publicGroup, operator, workspaceID, change, inbox } =
      await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const second = await createGroup(operator, { workspaceID, name: 'Second' })
    await addMembers(operator, { groupID: second.id, userIDs: [nora.id, ada.id] })
    await say(as(ada.id), [publicGroup.id, second.id], 'both', 'Both')
    await say(as(nora.id), posted.thread.id, 'I see')
    await say(as(ada.id), [publicGroup.id], 'only', 'Only')
    expect((await inbox()).listed).toEqual({ Before: 0, Both: 1, Only: 1 })
    expect(await change('muteGroup', { groupID: publicGroup.id })).toEqual({ isMuted: true, hasUnread: true })
    expect(await inbox()).toEqual({ listed: { Before: 0, Both: 1 }, unread: [1, 0, 0] })
    await change('unmuteGroup', { groupID: publicGroup.id })
    expect((await inbox()).listed).toEqual({ Before: 0, Both: 1, Only: 1 })
  })

  test('keeps what one group left unread when the person joins another group of the thread', async () => {
    const { as, ada, publicGroup, operator, workspaceID, change, inbox } = await makeInbox(service)
    const second = await createGroup(operator, { workspaceID, name: 'Second' })
    await addMembers(operator, { groupID: second.id, userIDs: [ada.id] })
    await change('joinGroup', { groupID: publicGroup.id })
    await say(as(ada.id), [publicGroup.id, second.id], 'both', 'Both')
    await change('joinGroup', { groupID: second.id })
    expect((await inbox()).listed).toEqual({ Before: 0, Both: 1 })
  })

  test('keeps what was unread for another reason when the person joins a group', async () => {
    const { as, ada, nora, publicGroup, change, inbox } = await makeInbox(service)
    await say(as(ada.id), [publicGroup.id, nora.id], 'named', 'Named')
    await change('joinGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: { Before: 0, Named: 1 }, unread: [1, 0, 0] })
    await change('leaveGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: { Named: 1 }, unread: [1, 0, 0] })
  })
})

describe('a muted thread', () => {
  test('stays listed and never counts, except for a mention by name in the message of a person', async () => {
    const { as, ada, nora, publicGroup, generalGroupID, webhook, mentionOf, change, inbox } =
      await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const { thread } = await say(as(ada.id), [publicGroup.id], 'loud', 'Loud')
    expect(await change('muteThread', { threadID: thread.id })).toEqual({ isMuted: true, isFollowed: false })
    await say(as(ada.id), thread.id, mentionOf({ id: generalGroupID }))
    await postToWebhook(service, webhook.path, { target: thread.id, text: mentionOf(nora) })
    expect(await inbox()).toEqual({ listed: { Before: 0, Loud: 3 }, unread: [0, 0, 0] })
    await say(as(ada.id), thread.id, mentionOf(nora))
    expect(await inbox()).toEqual({ listed: { Before: 0, Loud: 4 }, unread: [0, 0, 1] })
    await change('unmuteThread', { threadID: thread.id })
    expect((await inbox()).unread).toEqual([1, 0, 3])
  })
})

describe('lines about events and deleted messages', () => {
  test('are never unread', async () => {
    const { as, ada, dm, publicGroup, posted, change, inbox } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const { id } = await dm()
    const { message } = await say(as(ada.id), id, 'one')
    await deleteMessage(as(ada.id), { messageID: message.id })
    await updateThread(as(ada.id), { threadID: posted.thread.id, closed: true })
    expect(await inbox()).toEqual({ listed: { dm: 0, Before: 0 }, unread: [0, 0, 0] })
  })
})

describe('mentions', () => {
  const mentioned = `nodes { text } pageInfo { hasNextPage }`
  const textsOf = async (
    { ask }: { ask: Awaited<ReturnType<typeof makeInbox>>['nora']['ask'] },
    args = '',
  ) => {
    const { data, errors } = await ask(`{ viewer { mentions${args} { ${mentioned} } } }`)
    expect(errors).toBeUndefined()
    return data.viewer.mentions.nodes.map(({ text }: { text: string }) => text)
  }

  test('name the person or a group of the person, once for each message, in threads that they can see', async () => {
    const { as, ada, nora, publicGroup, privateGroup, generalGroupID, posted, change, mentionOf } =
      await makeInbox(service)
    const { thread } = posted
    await say(as(ada.id), thread.id, mentionOf(publicGroup))
    await say(as(ada.id), thread.id, `${mentionOf(nora)} ${mentionOf({ id: generalGroupID })}`)
    await say(as(ada.id), [privateGroup.id], mentionOf(nora), 'Hidden')
    await say(as(nora.id), thread.id, mentionOf(nora))
    await say(as(ada.id), thread.id, `\`${mentionOf(nora)}\``)
    const both = `${mentionOf(nora)} ${mentionOf({ id: generalGroupID })}`
    expect(await textsOf(nora)).toEqual([both])
    await change('joinGroup', { groupID: publicGroup.id })
    expect(await textsOf(nora)).toEqual([both, mentionOf(publicGroup)])
  })

  test('stay until their message is read, whatever follows it', async () => {
    const { as, ada, nora, posted, mentionOf, inbox } = await makeInbox(service)
    const { thread, message } = await say(as(ada.id), posted.thread.id, mentionOf(nora))
    for (let n = 0; n < 5; n += 1) await say(as(ada.id), thread.id, `later ${n}`)
    expect((await inbox()).unread).toEqual([1, 0, 1])
    expect(await textsOf(nora, '(unread: true)')).toHaveLength(1)
    await nora.ask(mutation('markRead', 'thread { id }'), {
      input: { threadID: thread.id, upToMessageID: message.id },
    })
    expect((await inbox()).unread).toEqual([1, 0, 0])
    expect(await textsOf(nora, '(unread: true)')).toEqual([])
    expect(await textsOf(nora, '(unread: false)')).toHaveLength(1)
  })

  test('begin a follow from their message on, also for a member who has muted the group', async () => {
    const { as, ada, nora, publicGroup, change, mentionOf, inbox } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    await change('muteGroup', { groupID: publicGroup.id })
    const { thread } = await say(as(ada.id), [publicGroup.id], 'one', 'Muted')
    await say(as(ada.id), thread.id, mentionOf(nora))
    expect(await inbox()).toEqual({ listed: { Muted: 1 }, unread: [1, 0, 1] })
    await change('unmuteGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: { Before: 0, Muted: 2 }, unread: [1, 0, 1] })
  })

  test('stay unread if the person stops to follow, follows or joins afterwards', async () => {
    const { as, ada, nora, publicGroup, generalGroupID, posted, change, mentionOf, inbox } =
      await makeInbox(service)
    const { thread } = posted
    await say(as(ada.id), thread.id, mentionOf({ id: generalGroupID }))
    await say(as(ada.id), thread.id, mentionOf(nora))
    await change('unfollowThread', { threadID: thread.id })
    await change('followThread', { threadID: thread.id })
    await change('joinGroup', { groupID: publicGroup.id })
    await say(as(ada.id), thread.id, mentionOf(nora))
    expect((await inbox()).unread).toEqual([1, 0, 3])
    expect(await textsOf(nora, '(unread: true)')).toHaveLength(3)
    await change('markRead', { threadID: thread.id })
    expect((await inbox()).unread).toEqual([0, 0, 0])
  })

  test('begin and end with an edit, which calls only if it says so', async () => {
    const { as, ada, nora, posted, mentionOf, inbox } = await makeInbox(service)
    const { message } = posted
    const edit = (text: string, more = {}) =>
      editMessage(as(ada.id), { messageID: message.id, text, ...more })
    await edit(mentionOf(nora))
    expect(await inbox()).toEqual({ listed: { Before: 0 }, unread: [0, 0, 0] })
    expect(await textsOf(nora)).toEqual([mentionOf(nora)])
    await edit(`${mentionOf(nora)}!`, { notify: 'always' })
    expect(await inbox()).toEqual({ listed: { Before: 1 }, unread: [1, 0, 1] })
    await edit('nobody')
    expect((await inbox()).unread).toEqual([1, 0, 0])
    expect(await textsOf(nora)).toEqual([])
  })

  test('are unread if the edit that begins them calls, however long its statements take', async () => {
    const { operator, as, ada, nora, posted, mentionOf, inbox } = await makeInbox(service)
    const { db } = operator
    await db.$executeRaw`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.01); RETURN NEW; END'`
    onTestFinished(async () => void (await db.$executeRaw`DROP FUNCTION wait CASCADE`))
    await db.$executeRaw`CREATE TRIGGER wait BEFORE UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION wait()`
    await editMessage(as(ada.id), { messageID: posted.message.id, text: mentionOf(nora), notify: 'always' })
    expect(await inbox()).toEqual({ listed: { Before: 1 }, unread: [1, 0, 1] })
  })

  test('begin a follow at an update that does not call, although an earlier one called', async () => {
    const { nora, posted, webhook, mentionOf, inbox } = await makeInbox(service)
    const post = (text: string, more = {}) =>
      postToWebhook(service, webhook.path, { target: posted.thread.id, text, ...more })
    await post('one', { uniqueBy: 'k', state: 'ok' })
    await post('two', { uniqueBy: 'k', state: 'failed' })
    await post('three')
    await post(mentionOf(nora), { uniqueBy: 'k', state: 'failed' })
    expect(await inbox()).toEqual({ listed: { Before: 0 }, unread: [0, 0, 1] })
  })

  test('follow an update by uniqueBy, with and without a state', async () => {
    const { nora, publicGroup, webhook, mentionOf, change } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const post = (text: string, more = {}) =>
      postToWebhook(service, webhook.path, { target: publicGroup.id, uniqueBy: 'k', text, ...more })
    for (const [text, more] of [
      [mentionOf(nora), {}],
      ['plain', {}],
      [mentionOf(publicGroup), { state: 'ok' }],
    ] as const) {
      await post(text, more)
      expect(await textsOf(nora)).toEqual(text === 'plain' ? [] : [text])
    }
    await post('nobody', { state: 'failed' })
    expect(await textsOf(nora)).toEqual([])
  })
})

describe('marking all as read', () => {
  test('reads everything that concerns the person, and can be taken back', async () => {
    const { as, ada, nora, publicGroup, mentionOf, dm, change, inbox, timePasses } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const { thread } = await say(as(ada.id), [publicGroup.id], mentionOf(nora), 'Old')
    await timePasses()
    await say(as(ada.id), (await dm()).id, 'new')
    await say(as(ada.id), thread.id, 'new')
    const before = await inbox()
    expect(before).toEqual({ listed: { Before: 0, Old: 2, dm: 1 }, unread: [1, 1, 1] })
    await change('markAllRead', {})
    expect(await inbox()).toEqual({ listed: { Before: 0, Old: 0, dm: 0 }, unread: [0, 0, 0] })
    await say(as(ada.id), thread.id, 'newer')
    expect((await inbox()).unread).toEqual([1, 0, 0])
    await change('undoMarkAllRead', {})
    expect(await inbox()).toEqual({ listed: { Before: 0, Old: 3, dm: 1 }, unread: [1, 1, 1] })
    await change('undoMarkAllRead', {})
    expect((await inbox()).unread).toEqual([1, 1, 1])
  })

  test('of a group reads only its threads, also those that concern the person for another reason', async () => {
    const { as, ada, nora, publicGroup, generalGroupID, change, inbox, timePasses } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    await say(as(ada.id), [publicGroup.id], 'one', 'Build')
    await say(as(ada.id), [publicGroup.id, nora.id], 'one', 'Named')
    await say(as(ada.id), [publicGroup.id, generalGroupID], 'one', 'Both')
    await say(as(ada.id), [generalGroupID], 'one', 'Other')
    await timePasses()
    await change('markAllRead', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({
      listed: { Before: 0, Build: 0, Named: 0, Both: 0, Other: 1 },
      unread: [1, 0, 0],
    })
    await change('undoMarkAllRead', { groupID: publicGroup.id })
    expect((await inbox()).unread).toEqual([4, 0, 0])
  })

  test('loses to markUnread afterwards, and wins over markUnread before', async () => {
    const { as, ada, nora, publicGroup, change, inbox, timePasses } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const { thread, message } = await say(as(ada.id), [publicGroup.id], 'one', 'Build')
    await timePasses()
    const unread = () =>
      nora.ask(mutation('markUnread', 'thread { id }'), {
        input: { threadID: thread.id, fromMessageID: message.id },
      })
    for (let turn = 0; turn < 2; turn += 1) {
      await change('markAllRead', {})
      expect((await inbox()).unread).toEqual([0, 0, 0])
      await unread()
      expect((await inbox()).unread).toEqual([1, 0, 0])
      if (turn === 0) await timePasses()
      if (turn === 0) expect((await inbox()).unread).toEqual([1, 0, 0])
    }
    await change('markRead', { threadID: thread.id })
    expect((await inbox()).unread).toEqual([0, 0, 0])
  })

  test('reads mentions in threads that do not concern the person, and threads of muted groups', async () => {
    const { as, ada, nora, publicGroup, generalGroupID, posted, change, mentionOf, inbox } =
      await makeInbox(service)
    await say(as(ada.id), posted.thread.id, mentionOf(nora))
    await change('unfollowThread', { threadID: posted.thread.id })
    await say(as(ada.id), [generalGroupID], 'muted', 'Muted')
    await change('muteGroup', { groupID: generalGroupID })
    expect((await inbox()).unread).toEqual([0, 0, 1])
    await change('markAllRead', {})
    await change('unmuteGroup', { groupID: generalGroupID })
    await change('joinGroup', { groupID: publicGroup.id })
    expect(await inbox()).toEqual({ listed: { Before: 0, Muted: 0 }, unread: [0, 0, 0] })
  })

  test('is taken back except for what the person has read since, and only if it was the last mark', async () => {
    const { as, ada, publicGroup, change, inbox } = await makeInbox(service)
    await change('joinGroup', { groupID: publicGroup.id })
    const [one] = [
      await say(as(ada.id), [publicGroup.id], 'one', 'One'),
      await say(as(ada.id), [publicGroup.id], 'two', 'Two'),
    ]
    await change('markAllRead', {})
    await change('markRead', { threadID: one.thread.id })
    await change('undoMarkAllRead', {})
    expect((await inbox()).listed).toEqual({ Before: 0, One: 0, Two: 1 })
    const marks = [{}, { groupID: publicGroup.id }]
    for (const [first, last] of [marks, marks.toReversed()] as const) {
      await change('markAllRead', first as object)
      await change('markAllRead', last as object)
      await change('undoMarkAllRead', first as object)
      await change('undoMarkAllRead', last as object)
      expect((await inbox()).unread).toEqual([0, 0, 0])
    }
  })
})
