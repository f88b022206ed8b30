import { describe, expect, test } from 'vitest'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { mutated, refused } from '../support/mutations.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'

const serverURL = process.env.TEST_DATABASE_URL ?? ''

const service = await startService()

type Answer = { messageID: string; threadID: string; created: boolean; stale?: true; ignored?: string[] }

async function makePlace() {
  const world = await makeWorld(service)
  const post = async (body: object): Promise<Answer> => {
    const answer = await postToWebhook(service, world.webhook.path, { target: world.publicGroup.id, ...body })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const thread = { threadBy: 'build', threadSubject: 'Build', uniqueBy: 'build' }
  return { world, post, thread }
}

function rowOf({ operator }: World, { messageID }: Answer) {
  return operator.db.message.findFirstOrThrow({ where: { id: messageID } })
}

function threadOf({ operator }: World, { threadID }: Answer) {
  return operator.db.thread.findFirstOrThrow({ where: { id: threadID } })
}

describe('version', () => {
  test('a call with a lower version than the message changes nothing', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'passed', version: 7, state: 'ok' })
    const late = await post({ ...thread, text: 'runs', version: 6, state: 'running', threadClosed: true })
    expect(late).toEqual({ ...first, created: false, threadCreated: false, stale: true })
    expect(await rowOf(world, first)).toMatchObject({ text: 'passed', version: 7n, state: 'ok' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'ok', closedAt: null })
  })

  test('a call with an equal version applies, and one without a version keeps the stored one', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: '7' })
    expect(await post({ ...thread, text: 'two', version: 7 })).not.toHaveProperty('stale')
    expect(await rowOf(world, first)).toMatchObject({ text: 'two', version: 7n })
    await post({ ...thread, text: 'three' })
    expect(await rowOf(world, first)).toMatchObject({ text: 'three', version: 7n })
    expect(await post({ ...thread, text: 'four', version: 6 })).toHaveProperty('stale', true)
  })

  test('a higher version is stored even if the message stays the same, which is not an edit', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'same', version: 1 })
    await post({ ...thread, text: 'same', version: 9 })
    expect(await rowOf(world, first)).toMatchObject({ version: 9n, editedAt: null })
    expect(await post({ ...thread, text: 'other', version: 8 })).toHaveProperty('stale', true)
  })

  test.each([
    ['2026-01-31T12:00:00Z', 1_769_860_800_000_000n],
    ['2026-01-31T12:00:00.1234567+00:00', 1_769_860_800_123_456n],
    ['9007199254740991', 9_007_199_254_740_991n],
    [0, 0n],
  ])('is an integer or a time: %s', async (version, stored) => {
    const { world, post, thread } = await makePlace()
    expect((await rowOf(world, await post({ ...thread, text: 'x', version }))).version).toBe(stored)
  })

  test('the highest version wins if many calls arrive at the same time, in any order', async () => {
    const { world, post, thread } = await makePlace()
    const versions = Array.from({ length: 40 }, (_, index) => (index * 17) % 40)
    const answers = await Promise.all(
      versions.map((version) => post({ ...thread, text: `version ${version}`, version, threadState: 'ok' })),
    )
    expect(new Set(answers.map(({ messageID }) => messageID)).size).toBe(1)
    const [answer] = answers as [Answer]
    expect(await rowOf(world, answer)).toMatchObject({ text: 'version 39', version: 39n })
  })

  test('a deleted message keeps its version under its key', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: 5 })
    await deleteMessage(world.as(world.webhook.userID), first)
    expect(await post({ ...thread, text: 'two', version: 5 })).toMatchObject({
      messageID: first.messageID,
      stale: true,
    })
    const again = await post({ ...thread, text: 'three', version: 6 })
    expect(again).toMatchObject({ created: true })
    expect(again.messageID).not.toBe(first.messageID)
  })

  test('the version of a deleted message also counts after a call without a version has posted anew', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: 5 })
    await deleteMessage(world.as(world.webhook.userID), first)
    const second = await post({ ...thread, text: 'two' })
    expect(second).toMatchObject({ created: true })
    for (const version of [4, 5])
      expect(await post({ ...thread, text: 'late', version })).toMatchObject({
        messageID: second.messageID,
        created: false,
        stale: true,
      })
    expect(await rowOf(world, second)).toMatchObject({ text: 'two', version: null })
    expect(await post({ ...thread, text: 'three', version: 6 })).not.toHaveProperty('stale')
    expect(await rowOf(world, second)).toMatchObject({ text: 'three', version: 6n })
  })
})

describe('state', () => {
  test('threadState keep leaves the state of the thread as it is, also in a new thread', async () => {
    const { world, post, thread } = await makePlace()
    const kept = { ...thread, state: 'failed', threadState: 'keep' }
    const first = await post({ ...kept, text: 'one' })
    expect(await rowOf(world, first)).toMatchObject({ state: 'failed' })
    expect(await threadOf(world, first)).toMatchObject({ state: null })
    await post({ ...thread, text: 'two', state: 'ok' })
    await post({ ...kept, text: 'three' })
    await post({ ...kept, uniqueBy: 'another', text: 'four' })
    expect(await rowOf(world, first)).toMatchObject({ state: 'failed' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'ok' })
  })

  test('threadState keep needs no right to change the thread, and is not named in ignored', async () => {
    const { post } = await makePlace()
    expect(await post({ text: 'one', state: 'failed', threadState: 'keep' })).not.toHaveProperty('ignored')
  })

  test('the last call that changes something sets the state of the thread, unless it has a threadState', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', state: 'running' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'running' })
    await post({ ...thread, uniqueBy: 'other', text: 'two', state: 'failed' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'failed' })
    await post({ ...thread, text: 'one', state: 'running' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'failed' })
    await post({ ...thread, text: 'one', state: 'ok', threadState: 'failed' })
    expect(await rowOf(world, first)).toMatchObject({ state: 'ok' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'failed' })
    await post({ ...thread, text: 'one', threadState: 'ok' })
    expect(await threadOf(world, first)).toMatchObject({ state: 'ok' })
  })

  // The process that waits sees the state of the thread from before the change. Therefore it tries again.
  test.runIf(serverURL)(
    'of a call to a chat that another process is changing is written after that',
    async () => {
      const { world, post } = await makePlace()
      const first = await post({ text: 'one' })
      const sql = 'UPDATE threads SET changes = changes + 1 WHERE id = $1'
      const changing = await inOpenTransaction(world.operator.db, sql, [first.threadID])
      const second = post({ text: 'two', state: 'failed', threadState: 'failed' })
      await untilLockWaits(world.operator.db)
      await changing.query('COMMIT')
      await changing.end()
      expect(await second).toMatchObject({ created: true, ignored: ['threadState'] })
    },
  )

  test('a chat has no state', async () => {
    const { world, post } = await makePlace()
    const answer = await post({ text: 'one', state: 'failed', threadState: 'ok', threadClosed: true })
    expect(answer.ignored).toEqual(['threadClosed', 'threadState'])
    expect(await rowOf(world, answer)).toMatchObject({ state: 'failed' })
    expect(await threadOf(world, answer)).toMatchObject({ state: null, closedAt: null })
  })
})

describe('threadClosed', () => {
  test('closes and reopens the thread without a system message', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', threadClosed: true })
    expect(await threadOf(world, first)).toMatchObject({ closedAt: expect.any(Date), lastPosition: 1 })
    await post({ ...thread, text: 'one', threadClosed: false })
    expect(await threadOf(world, first)).toMatchObject({ closedAt: null, lastPosition: 1 })
    await post({ ...thread, text: 'one', threadClosed: true })
    expect(await threadOf(world, first)).toMatchObject({ closedAt: expect.any(Date), lastPosition: 1 })
  })

  test.each([
    ['a new message', { uniqueBy: 'other', text: 'two' }, true],
    ['a new message with a plain text', { uniqueBy: null, text: 'two' }, true],
    ['a state that becomes failed', { text: 'one', state: 'failed' }, true],
    ['a state that stays', { text: 'changed', state: 'ok' }, false],
    ['a changed text', { text: 'changed' }, false],
    ['a new message that keeps it', { uniqueBy: 'other', text: 'two', threadClosed: 'keep' }, false],
  ])('a thread that threadBy finds is reopened by %s: %o', async (_case, body, isReopened) => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', state: 'ok', threadClosed: true })
    await post({ ...thread, ...body })
    expect((await threadOf(world, first)).closedAt === null).toBe(isReopened)
  })

  test('a thread addressed by its ID stays closed', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', threadClosed: true })
    await post({ target: first.threadID, text: 'two' })
    expect((await threadOf(world, first)).closedAt).not.toBeNull()
  })

  test('obeys the version: an older call does not reopen what a newer one closed', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: 7, threadClosed: true })
    await post({ ...thread, uniqueBy: 'other', text: 'two', version: 6, threadClosed: false })
    expect((await threadOf(world, first)).closedAt).not.toBeNull()
    await post({ ...thread, uniqueBy: 'other', text: 'two', version: 8, threadClosed: false })
    expect((await threadOf(world, first)).closedAt).toBeNull()
  })

  test('is named in ignored if the thread keeps a higher version, for a new message, an update and no change', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: 7, threadClosed: true })
    const other = { target: first.threadID, uniqueBy: 'other', version: 6, threadClosed: false }
    for (const text of ['two', 'three', 'three'])
      expect(await post({ ...other, text, threadState: 'failed' })).toHaveProperty('ignored', [
        'threadClosed',
      ])
    expect(await threadOf(world, first)).toMatchObject({ state: 'failed', closedAt: expect.any(Date) })
    expect(await post({ ...other, text: 'three', version: 7 })).not.toHaveProperty('ignored')
    expect(await threadOf(world, first)).toMatchObject({ closedAt: null })
  })

  test('of a stale call is not named, because the call changes nothing', async () => {
    const { post, thread } = await makePlace()
    await post({ ...thread, text: 'one', version: 7, threadClosed: true })
    const late = await post({ ...thread, text: 'two', version: 6, threadClosed: false })
    expect(late).toHaveProperty('stale', true)
    expect(late).not.toHaveProperty('ignored')
  })

  test('a new message reopens the thread, whatever its version', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one', version: 1000, threadClosed: true })
    await post({ ...thread, uniqueBy: 'other', text: 'two', version: 1 })
    expect((await threadOf(world, first)).closedAt).toBeNull()
  })

  test('is decided before or after a new message that is written at the same time, and so is the state', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({ ...thread, text: 'one' })
    await Promise.all([
      post({ ...thread, text: 'one', state: 'ok', threadClosed: true }),
      post({ ...thread, uniqueBy: 'other', text: 'two', state: 'failed' }),
    ])
    const { state, closedAt } = await threadOf(world, first)
    expect(['failed and open', 'ok and closed']).toContain(`${state} and ${closedAt ? 'closed' : 'open'}`)
  })

  test('is ignored and named where the webhook did not start the thread', async () => {
    const { world, post } = await makePlace()
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
    const answer = await post({ target: thread.id, text: 'x', threadClosed: true, state: 'failed' })
    expect(answer.ignored).toEqual(['threadClosed'])
    expect(await threadOf(world, answer)).toMatchObject({ closedAt: null, state: 'failed' })
  })
})

test('an update moves the thread up only if it calls', async () => {
  const { world, post, thread } = await makePlace()
  const sent = await post({ ...thread, text: 'starts' })
  const { lastActivityAt } = await threadOf(world, sent)
  for (const fields of [
    { text: 'runs', state: 'running' },
    { text: 'runs', state: 'running', version: 1 },
    { text: 'runs', senderName: 'CI' },
    { text: 'fails', state: 'failed', notify: 'never' },
    { text: 'passed', state: 'ok', notify: 'new', threadClosed: true },
  ]) {
    await post({ ...thread, ...fields })
    expect(await threadOf(world, sent), JSON.stringify(fields)).toMatchObject({ lastActivityAt })
  }
  await post({ ...thread, text: 'fails', state: 'failed' })
  const failed = await threadOf(world, sent)
  expect(failed.lastActivityAt.getTime()).toBeGreaterThan(lastActivityAt.getTime())
  await post({ ...thread, text: 'fails twice', notify: 'always' })
  expect((await threadOf(world, sent)).lastActivityAt.getTime()).toBeGreaterThan(
    failed.lastActivityAt.getTime(),
  )
})

describe('the other fields', () => {
  test('are stored, and an update without them keeps them', async () => {
    const { world, post, thread } = await makePlace()
    const first = await post({
      ...thread,
      text: '*x*',
      senderName: 'Grafana',
      allowMentions: false,
      plain: true,
    })
    await post({ ...thread, text: 'y' })
    expect(await rowOf(world, first)).toMatchObject({
      text: 'y',
      senderName: 'Grafana',
      allowMentions: false,
      isPlain: true,
    })
  })

  test('with a value that is not valid are left out and named, and so are fields that look misspelled', async () => {
    const { world, post, thread } = await makePlace()
    const answer = await post({
      ...thread,
      text: 'x',
      version: '2026-02-30T12:00:00Z',
      state: 'red',
      notify: 1,
      threadClosed: 'yes',
      senderName: '',
      allowMentions: 'no',
      plain: null,
      threadsubject: 'x',
      unique_by: 'x',
      txet: 'x',
      severity: 'x',
    })
    expect(answer.ignored).toEqual([
      'version',
      'state',
      'notify',
      'threadClosed',
      'senderName',
      'allowMentions',
      'threadsubject',
      'unique_by',
      'txet',
    ])
    expect(await rowOf(world, answer)).toMatchObject({ version: null, state: null })
  })
})

describe.each([
  ['a line end', 'CI\nbot'],
  ['a control character', 'CI\u0007'],
  ['an override of the direction', 'CI\u202e'],
  ['an isolate', '\u2066CI\u2069'],
])('a senderName with %s', (_what, senderName) => {
  test('is left out and named', async () => {
    const { world, post } = await makePlace()
    const answer = await post({ text: 'x', senderName })
    expect(answer.ignored).toEqual(['senderName'])
    expect(await rowOf(world, answer)).toMatchObject({ senderName: null })
  })

  test('is refused by sendMessage and editMessage', async () => {
    const { app, publicGroup } = await makeWorld(service)
    const thread = { recipients: [publicGroup.id] }
    const send = (message: object) =>
      [service, app.token, 'sendMessage', { thread, message }, 'message { id }'] as const
    const { message } = await mutated(...send({ text: 'x' }))
    const edit = { messageID: message.id, senderName }
    expect([
      await refused(...send({ text: 'x', senderName })),
      await refused(service, app.token, 'editMessage', edit, 'message { id }'),
    ]).toEqual([
      ['INVALID_INPUT', 'message.senderName'],
      ['INVALID_INPUT', 'senderName'],
    ])
  })
})
