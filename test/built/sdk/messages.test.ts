import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Message, Thread, User } from '../../../src/sdk/index.ts'
import { makeWorld, say } from '../../support/factories.ts'
import { startProxy } from '../../support/proxy.ts'
import { all, failureOf, makeClients } from '../../support/sdk.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const proxy = await startProxy(service)

/** Creates a client of the app, and a thread with 250 messages by Ada, `1` to `250`. */
async function longThread() {
  const { world, skein } = await makeClients(service, proxy)
  const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], '1', 'Long')
  for (let count = 2; count <= 250; count += 1) await say(world.as(world.ada.id), thread.id, String(count))
  return { world, skein, threadID: thread.id }
}

const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => Number(text))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('the messages of a thread', async () => {
  const { skein, threadID } = await longThread()

  test('are all returned, oldest first', async () => {
    expect(textsOf(await all(skein.messages(threadID)))).toEqual(range(1, 250))
  })

  test.each([0, 1, 100, 220, 300])('can be limited to the last %i', async (last) => {
    const wanted = range(1, 250).slice(Math.max(0, 250 - last))
    expect(textsOf(await all(skein.messages(threadID, { last })))).toEqual(last === 0 ? [] : wanted)
  })

  test('can be requested around a given message', async () => {
    const [first] = await all(skein.messages(threadID, { last: 120 }))
    const page = textsOf(await all(skein.messages(threadID, { around: first?.id ?? '' })))
    expect(page).toContain(131)
    expect(page[0]).toBeLessThan(131)
    expect(page.at(-1)).toBeGreaterThan(131)
  })

  test('can be requested after a given message', async () => {
    const [message] = await all(skein.messages(threadID, { last: 10 }))
    expect(textsOf(await all(skein.messages(threadID, { after: message?.cursor ?? '' })))).toEqual(
      range(242, 250),
    )
  })

  test('can be limited to the unread messages of others', async () => {
    expect(textsOf(await all(skein.messages(threadID, { unread: true })))).toEqual(range(1, 250))
    const [message] = await all(skein.messages(threadID, { last: 3 }))
    await skein.markRead({ threadID, upToMessageID: message?.id ?? '' })
    await skein.sendMessage({ threadID, message: { text: '251' } })
    expect(textsOf(await all(skein.messages(threadID, { unread: true })))).toEqual([249, 250])
  })

  test('cannot be requested with options that contradict each other', async () => {
    // @ts-expect-error Only one of last and unread is allowed.
    const both = () => skein.messages(threadID, { last: 1, unread: true })
    expect(both).toThrow('Give only one of last and unread.')
  })

  test('have named types', async () => {
    const [message] = await all(skein.messages(threadID, { last: 1 }))
    if (message) expectTypeOf(message).toExtend<Message>()
    expectTypeOf(await skein.me()).toExtend<User>()
    expectTypeOf(await skein.thread(threadID)).toExtend<Thread>()
  })
})

test('a DM is found by the ID of its user, and is created only once', async () => {
  const { world, skein } = await makeClients(service, proxy)
  const dm = await skein.dm(world.ada.id)
  expect(dm).toMatchObject({ id: expect.stringMatching(/^thr_/), threadType: 'chat' })
  expect((await skein.dm(world.ada.id)).id).toBe(dm.id)
  const stranger = (await makeWorld(service)).ada.id
  expect(await failureOf(skein.dm(stranger))).toMatchObject({ code: 'NOT_FOUND' })
})

test('threads are listed by kind, with the unread count and the last message', async () => {
  const { world, skein } = await makeClients(service, proxy)
  await say(world.as(world.ada.id), [world.publicGroup.id], 'in the chat')
  await say(world.as(world.ada.id), [world.publicGroup.id], 'in a thread', 'Subject')
  await say(world.as(world.ada.id), [world.app.userID], 'in a DM')
  const listed = async (kind: 'dm' | 'groupChat' | 'thread') =>
    (await all(skein.threads({ filter: { kind } }))).map(({ unreadCount, lastMessage }) => [
      unreadCount,
      lastMessage?.text,
      lastMessage?.user.name,
    ])
  expect(await listed('thread')).toEqual([[1, 'in a thread', 'Ada']])
  expect(await listed('groupChat')).toEqual([[1, 'in the chat', 'Ada']])
  expect(await listed('dm')).toEqual([[1, 'in a DM', 'Ada']])
})
