import { expect, test } from 'vitest'
import { dmWith } from '../../src/threads/chats.ts'
import { findUserUnscoped } from '../../src/users/access.ts'
import { makeWorld, postToWebhook, say } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()

/** Creates a world with a new person, Nora, in the public group. */
async function makeNora() {
  const world = await makeWorld(service)
  const { as, ada, workspaceID, publicGroup } = world
  const nora = await signedIn(service, world, 'member')
  const ask: typeof nora.ask = async (query, variables) => {
    const answer = await nora.ask(query, variables)
    expect(answer.errors).toBeUndefined()
    return answer
  }
  const change = (name: string, input: object, selection = 'thread { isMine isMuted isFollowed }') =>
    ask(mutation(name, selection), { input }).then(({ data }) => data[name])
  await change('joinGroup', { groupID: publicGroup.id }, 'group { id }')
  const list = async (filter: object) => {
    const query =
      'query ($filter: ThreadFilter) { threads(filter: $filter, order: lastMessage) { nodes { subject kind } } }'
    const { data } = await ask(query, { filter })
    const nodes: { subject: string | null; kind: string }[] = data.threads.nodes
    return nodes.map(({ subject, kind }) => subject ?? kind).sort()
  }
  const user = await findUserUnscoped(as(ada.id), workspaceID, nora.id)
  if (!user) throw new Error('no Nora')
  const dm = await dmWith(as(ada.id), user)
  const mention = `Look, [Nora](skein:${nora.id})!`
  const post = (subject: string, text = 'one') => say(as(ada.id), [publicGroup.id], text, subject)
  return { ...world, nora, ask, change, list, dm, mention, post }
}

test('the filter `personal` finds DMs and threads with unread mentions, also of a group of the caller', async () => {
  const { as, ada, publicGroup, change, list, dm, mention, post } = await makeNora()
  await say(as(ada.id), dm.id, 'read or not')
  const named = await post('Named', mention)
  await say(as(ada.id), named.thread.id, 'later')
  await post('Group', `[Us](skein:${publicGroup.id})`)
  await post('Other')
  expect(await list({ mine: true, personal: true })).toEqual(['Group', 'Named', 'dm'])
  expect(await list({ mine: true, personal: false })).toEqual(['Other'])
  for (const { id } of [dm, named.thread]) await change('markRead', { threadID: id })
  expect(await list({ personal: true })).toEqual(['Group', 'dm'])
})

test('the filters `followed` and `muted` find what the caller set, and only that', async () => {
  const { nora, as, change, list, post } = await makeNora()
  const [one, two, own] = [await post('One'), await post('Two'), await post('Own')]
  await say(as(nora.id), own.thread.id, 'mine')
  await change('followThread', { threadID: one.thread.id })
  await change('muteThread', { threadID: two.thread.id })
  expect(await list({ followed: true })).toEqual(['One', 'Own'])
  expect(await list({ followed: false, mine: true })).toEqual(['Two', 'dm'])
  expect(await list({ muted: true })).toEqual(['Two'])
  expect(await list({ muted: false, mine: true })).toEqual(['One', 'Own', 'dm'])
  await change('unfollowThread', { threadID: one.thread.id })
  await change('unmuteThread', { threadID: two.thread.id })
  expect([await list({ followed: true }), await list({ muted: true })]).toEqual([['Own'], []])
})

test('`isMine` says whether a thread concerns the caller, and changes with the reason', async () => {
  const { change, post, publicGroup } = await makeNora()
  const { thread } = await post('One')
  const { id: threadID } = thread
  expect(await change('muteThread', { threadID })).toMatchObject({ thread: { isMine: true } })
  await change('muteGroup', { groupID: publicGroup.id }, 'group { id }')
  expect(await change('unmuteThread', { threadID })).toMatchObject({ thread: { isMine: false } })
  expect(await change('followThread', { threadID })).toMatchObject({ thread: { isMine: true } })
})

test('`groups(muted:)` lists the groups that the caller has muted, or the others', async () => {
  const { ask, change, publicGroup, generalGroupID } = await makeNora()
  const names = async (args: string) => {
    const { data } = await ask(`{ groups(${args}) { nodes { id } } }`)
    return data.groups.nodes.map(({ id }: { id: string }) => id)
  }
  expect(await names('muted: true')).toEqual([])
  await change('muteGroup', { groupID: publicGroup.id }, 'group { id }')
  expect(await names('muted: true')).toEqual([publicGroup.id])
  expect(await names('muted: false')).toContain(generalGroupID)
  expect(await names('muted: false')).not.toContain(publicGroup.id)
})

test('`callsViewer` is true for unread messages in DMs and unread mentions, until they are read or muted', async () => {
  const { as, ada, nora, ask, change, dm, mention, post, publicGroup, webhook } = await makeNora()
  const { thread } = await post('One')
  const calls = async (messageID: string) => {
    const query = '($id: ID!) { node(id: $id) { ... on Message { callsViewer } } }'
    return (await ask(`query ${query}`, { id: messageID })).data.node.callsViewer
  }
  const said = async (text: string, threadID = thread.id) =>
    calls((await say(as(ada.id), threadID, text)).message.id)
  expect(await said('hello', dm.id)).toBe(true)
  expect(await said('hello')).toBe(false)
  expect(await said(`[Us](skein:${publicGroup.id})`)).toBe(true)
  const { message } = await say(as(ada.id), thread.id, mention)
  expect(await calls(message.id)).toBe(true)
  await change('markRead', { threadID: thread.id })
  expect(await calls(message.id)).toBe(false)
  for (const { id } of [dm, thread]) await change('muteThread', { threadID: id })
  expect(await said('hello', dm.id)).toBe(false)
  expect(await said(`[Us](skein:${publicGroup.id})`)).toBe(false)
  expect(await said(mention)).toBe(true)
  const posted = await postToWebhook(service, webhook.path, { target: thread.id, text: mention })
  expect(await calls(posted.json().messageID)).toBe(false)
  expect(await calls((await say(as(nora.id), dm.id, mention)).message.id)).toBe(false)
})

test('the filter `mine: false` finds all other threads, also those that are no DM', async () => {
  const { publicGroup, change, list, mention, as, ada } = await makeNora()
  await say(as(ada.id), [publicGroup.id], mention)
  await change('muteGroup', { groupID: publicGroup.id }, 'group { id }')
  expect(await list({ mine: false, personal: true })).toEqual(['groupChat'])
  expect(await list({ mine: false })).toContain('groupChat')
})
