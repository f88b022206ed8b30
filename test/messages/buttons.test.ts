import { describe, expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { mutated, refused } from '../support/mutations.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'

const service = await startService()

const rerun = { id: 'rerun', label: 'Re-run' }
const stop = { id: 'stop', label: 'Stop', style: 'danger' as const, confirm: 'Stop the deploy?' }
const log = { label: 'Log', url: 'https://ci.example.com/12' }
const selection = `buttons { buttonID label style confirm url pressCount viewerPressedAt
  presses { nodes { user { name } pressedAt } } }`

async function buttonsOf({ app }: World, messageID: string) {
  const answer = await service.graphql(
    app.token,
    `{ node(id: "${messageID}") { ... on Message { text editedAt ${selection} } } }`,
  )
  expect(answer.errors).toBeUndefined()
  return answer.data.node
}

type Shown = { buttonID: string | null; presses: { nodes: { user: { name: string } }[] } }

/** Returns who has pressed the buttons of a message, such as `{ rerun: ['Ada'] }`. */
async function pressesOf(world: World, messageID: string): Promise<Record<string, string[]>> {
  const { buttons } = await buttonsOf(world, messageID)
  return Object.fromEntries(
    buttons.map(({ buttonID, presses }: Shown) => [buttonID, presses.nodes.map(({ user }) => user.name)]),
  )
}

async function makeMessage(buttons: object[] = [rerun, stop, log]) {
  const world = await makeWorld(service)
  const sent = await mutated(
    service,
    world.app.token,
    'sendMessage',
    {
      thread: { recipients: [world.publicGroup.id], subject: 'Deploy' },
      message: { text: 'Failed', uniqueBy: 'deploy', buttons },
    },
    'message { id } thread { id }',
  )
  const messageID: string = sent.message.id
  /** Presses a button of those that the message has now, or of an earlier or later revision. */
  const press = async (ctx: Context, buttonID: string, clientKey = 'key', revision?: number) => {
    const { db } = world.operator
    const now = await db.message.findFirstOrThrow({ where: { id: messageID } })
    return pressButton(ctx, {
      messageID,
      buttonID,
      buttonsRevision: revision ?? now.buttonsRevision,
      clientKey,
    })
  }
  const edit = (changes: object) =>
    mutated(service, world.app.token, 'editMessage', { messageID, ...changes }, 'message { id }')
  return { ...world, messageID, threadID: sent.thread.id as string, press, edit }
}

async function eventsOf({ app }: World) {
  const { data } = await service.graphql(
    app.token,
    '{ events(types: [messageButtonPressed]) { nodes { type objectID buttonID user { name } thread { id } } } }',
  )
  return data.events.nodes
}

describe('the buttons of a message', () => {
  test('are shown in their order, and a press shows who pressed and when', async () => {
    const world = await makeMessage()
    await world.press(world.as(world.ada.id), 'rerun')
    const none = { pressCount: 0, viewerPressedAt: null, presses: { nodes: [] } }
    const presses = { nodes: [{ user: { name: 'Ada' }, pressedAt: expect.stringMatching(/^\d{4}-/) }] }
    expect((await buttonsOf(world, world.messageID)).buttons).toEqual([
      {
        ...none,
        buttonID: 'rerun',
        label: 'Re-run',
        style: 'default',
        confirm: null,
        url: null,
        pressCount: 1,
        presses,
      },
      { ...none, buttonID: 'stop', label: 'Stop', style: 'danger', confirm: 'Stop the deploy?', url: null },
      {
        ...none,
        buttonID: null,
        label: 'Log',
        style: 'default',
        confirm: null,
        url: 'https://ci.example.com/12',
      },
    ])
  })

  test('are kept if an edit leaves them out, and replaced or removed by a list', async () => {
    const world = await makeMessage()
    const labels = async () => {
      const { buttons } = await buttonsOf(world, world.messageID)
      return buttons.map(({ label }: { label: string }) => label)
    }
    await world.edit({ text: 'Failed again' })
    await world.edit({ text: 'Failed again', buttons: null })
    expect(await labels()).toEqual(['Re-run', 'Stop', 'Log'])
    await world.edit({ buttons: [stop] })
    expect(await labels()).toEqual(['Stop'])
    await world.edit({ buttons: [] })
    expect(await labels()).toEqual([])
  })

  test('are kept, replaced and removed by a later call with the same uniqueBy', async () => {
    const world = await makeMessage()
    const ctx = service.contextOf({ ...world.as(world.app.userID).actor, kind: 'user' } as never)
    const update = (message: object) =>
      sendMessage(ctx, {
        threadID: world.threadID,
        message: { text: 'Failed', uniqueBy: 'deploy', ...message },
      })
    await world.press(world.as(world.ada.id), 'rerun')
    await update({ text: 'Running' })
    await update({ buttons: [rerun, stop, log] })
    expect(await pressesOf(world, world.messageID)).toEqual({ rerun: ['Ada'], stop: [], null: [] })
    await update({ buttons: [rerun] })
    expect(await pressesOf(world, world.messageID)).toEqual({ rerun: [] })
    await update({ buttons: [] })
    expect(await pressesOf(world, world.messageID)).toEqual({})
  })

  test('do not change a message that has them already', async () => {
    const world = await makeMessage()
    await world.edit({ text: 'Failed', buttons: [rerun, stop, log] })
    expect((await buttonsOf(world, world.messageID)).editedAt).toBeNull()
  })

  test('are gone with their presses when the message is deleted', async () => {
    const world = await makeMessage()
    await world.press(world.as(world.ada.id), 'rerun')
    await deleteMessage(world.as(world.app.userID), { messageID: world.messageID })
    expect((await buttonsOf(world, world.messageID)).buttons).toEqual([])
    expect(await world.operator.db.buttonPress.count({ where: { messageID: world.messageID } })).toBe(0)
  })

  test.each([
    ['a button without an ID and a URL', [{ label: 'A' }], 'message.buttons.0.id'],
    ['an ID with other characters', [{ id: 'a b', label: 'A' }], 'message.buttons.0.id'],
    ['two buttons with one ID', [rerun, { ...stop, id: 'rerun' }], 'message.buttons'],
    ['a blank label', [{ ...rerun, label: ' ' }], 'message.buttons.0.label'],
    ['a label of 41 characters', [{ ...rerun, label: 'x'.repeat(41) }], 'message.buttons.0.label'],
    ['a question with other directions', [{ ...rerun, confirm: 'a\u202eb' }], 'message.buttons.0.confirm'],
    ['a label with a line break', [{ ...rerun, label: 'a\nb' }], 'message.buttons.0.label'],
    ['a URL that runs code', [{ label: 'A', url: 'javascript:alert(1)' }], 'message.buttons.0.url'],
    ['six buttons', Array.from({ length: 6 }, (_, id) => ({ id: `${id}`, label: 'A' })), 'message.buttons'],
  ])('are refused with %s', async (_what, buttons, field) => {
    const { app, publicGroup } = await makeWorld(service)
    const input = { thread: { recipients: [publicGroup.id] }, message: { text: 'A', buttons } }
    expect(await refused(service, app.token, 'sendMessage', input, 'message { id }')).toEqual([
      'INVALID_INPUT',
      field,
    ])
  })
})

describe('a press', () => {
  test('is one event, however often it is repeated with its key', async () => {
    const world = await makeMessage()
    const ada = world.as(world.ada.id)
    await Promise.all(Array.from({ length: 20 }, () => world.press(ada, 'rerun', 'one')))
    await world.press(ada, 'rerun', 'one')
    const { messageID, threadID } = world
    expect(await eventsOf(world)).toEqual([
      {
        type: 'messageButtonPressed',
        objectID: messageID,
        buttonID: 'rerun',
        user: { name: 'Ada' },
        thread: { id: threadID },
      },
    ])
    expect(await pressesOf(world, messageID)).toMatchObject({ rerun: ['Ada'] })
  })

  test('with another key is refused, until the buttons are replaced', async () => {
    const world = await makeMessage()
    const ada = world.as(world.ada.id)
    await world.press(ada, 'rerun', 'one')
    await expect(world.press(ada, 'rerun', 'two')).rejects.toMatchObject({
      code: 'conflict',
      reason: 'already_pressed',
    })
    await world.edit({ buttons: [rerun] })
    await world.press(ada, 'rerun', 'one')
    expect(await pressesOf(world, world.messageID)).toEqual({ rerun: [] })
    await world.press(ada, 'rerun', 'two')
    expect(await pressesOf(world, world.messageID)).toEqual({ rerun: ['Ada'] })
    expect(await eventsOf(world)).toHaveLength(2)
  })

  test('of many people at once counts once for each of them and each button', async () => {
    const world = await makeMessage()
    const { operator, workspaceID } = world
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => createPerson(operator, { workspaceID, name: `P${turn}` })),
    )
    const press = (key: string) =>
      people.flatMap(({ id }) =>
        ['rerun', 'stop'].map((button) => world.press(world.as(id), button, `${button} ${key}`)),
      )
    const outcomes = await Promise.allSettled([...press('one'), ...press('two')])
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.reason : [],
    )
    expect(refusals).toEqual(Array(40).fill('already_pressed'))
    const { buttons } = await buttonsOf(world, world.messageID)
    expect(buttons.map(({ pressCount }: { pressCount: number }) => pressCount)).toEqual([20, 20, 0])
    expect(await eventsOf(world)).toHaveLength(40)
  })

  test('while the buttons are replaced is a press on the old or on the new ones', async () => {
    const world = await makeMessage([rerun])
    const { operator, workspaceID, messageID } = world
    const people = await Promise.all(
      Array.from({ length: 30 }, (_, turn) => createPerson(operator, { workspaceID, name: `P${turn}` })),
    )
    const edits = [stop, rerun, stop].map((button) => world.edit({ buttons: [button] }))
    const outcomes = await Promise.allSettled([
      ...people.map(({ id }) => world.press(world.as(id), 'rerun')),
      ...edits,
    ])
    const pressed = outcomes.slice(0, people.length).filter(({ status }) => status === 'fulfilled')
    const rows = await operator.db.buttonPress.findMany({ where: { messageID } })
    expect([rows.length, (await eventsOf(world)).length]).toEqual([pressed.length, pressed.length])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'button_gone' })
  })

  test.skipIf(process.env.TEST_DATABASE_URL === undefined)(
    'waits for an edit that replaces the buttons, and is then a press on the new ones',
    async () => {
      const world = await makeMessage([rerun])
      const { messageID, operator } = world
      const edit = `UPDATE messages SET buttons = '[{"id":"again","label":"Again"}]' WHERE id = $1`
      const editing = await inOpenTransaction(operator.db, edit, [messageID])
      const ada = world.as(world.ada.id)
      const presses = [world.press(ada, 'rerun', 'one', 0), world.press(ada, 'again', 'two', 1)]
      const outcomes = Promise.allSettled(presses)
      await untilLockWaits(operator.db, 2)
      await editing.query('COMMIT')
      await editing.end()
      expect(await outcomes).toMatchObject([{ reason: { reason: 'button_gone' } }, { status: 'fulfilled' }])
    },
  )

  test('on a button that was replaced by another one with its ID does not count', async () => {
    const world = await makeMessage([rerun])
    const ada = world.as(world.ada.id)
    await world.edit({ buttons: [{ ...stop, id: 'rerun' }] })
    await expect(world.press(ada, 'rerun', 'one', 0)).rejects.toMatchObject({ reason: 'button_gone' })
    await world.press(ada, 'rerun', 'two', 1)
    expect(await pressesOf(world, world.messageID)).toEqual({ rerun: ['Ada'] })
  })

  test('on a button that is gone, or only a link, is a conflict', async () => {
    const world = await makeMessage([rerun, { ...log, id: 'log' }])
    const ada = world.as(world.ada.id)
    for (const button of ['stop', 'log'])
      await expect(world.press(ada, button)).rejects.toMatchObject({
        code: 'conflict',
        reason: 'button_gone',
      })
    await deleteMessage(world.as(world.app.userID), { messageID: world.messageID })
    await expect(world.press(ada, 'rerun')).rejects.toMatchObject({ reason: 'message_deleted' })
  })

  test('with a key that was used for another button names the key', async () => {
    const world = await makeMessage()
    const ada = world.as(world.ada.id)
    await world.press(ada, 'rerun', 'one')
    await expect(world.press(ada, 'stop', 'one')).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field: 'clientKey', message: 'was used to press the button rerun' }],
    })
  })

  test('by an app is refused', async () => {
    const { app, messageID } = await makeMessage()
    const input = { messageID, buttonID: 'rerun', buttonsRevision: 0, clientKey: 'one' }
    expect(await refused(service, app.token, 'pressMessageButton', input, 'message { id }')).toEqual([
      'FORBIDDEN',
    ])
  })

  test('by somebody who cannot see the message is answered as if it did not exist', async () => {
    const world = await makeWorld(service)
    const { message } = await say(world.as(world.ada.id), [world.privateGroup.id], 'Secret')
    await editMessage(world.as(world.ada.id), { messageID: message.id, buttons: [rerun] })
    const grace = world.as(world.grace.id)
    const press = (messageID: string) =>
      pressButton(grace, { messageID, buttonID: 'rerun', buttonsRevision: 1, clientKey: 'one' })
    const hidden = await press(message.id).catch(({ code, message }) => ({ code, message }))
    const missing = await press(`msg_${'0'.repeat(27)}`).catch(({ code, message }) => ({ code, message }))
    expect(hidden).toEqual(missing)
    expect(hidden).toMatchObject({ code: 'not_found' })
  })
})

describe('at the URL of a webhook, buttons', () => {
  const post = async ({ webhook, publicGroup }: World, body: object) => {
    const answer = await postToWebhook(service, webhook.path, {
      target: publicGroup.id,
      text: 'Failed',
      ...body,
    })
    return answer.json()
  }

  test('are posted without those that nobody would hear of, which the answer names', async () => {
    const world = await makeWorld(service)
    const answer = await post(world, { buttons: [rerun, log] })
    expect(answer.ignored).toEqual(['buttons.0: the webhook has no active endpoint that receives a press'])
    const { buttons } = await buttonsOf(world, answer.messageID)
    expect(buttons).toMatchObject([{ label: 'Log' }])
  })

  test('that are not valid are left out and named', async () => {
    const world = await makeWorld(service)
    const answer = await post(world, { buttons: [{ ...rerun, label: '' }] })
    expect([answer.ignored, (await buttonsOf(world, answer.messageID)).buttons]).toEqual([
      ['buttons.0.label: must not be blank'],
      [],
    ])
  })
})
