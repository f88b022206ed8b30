import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { allowsLoopback, startDelivering, startReceiver } from '../support/event-receiver.ts'
import { makeWebhook, makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { startService } from '../support/service.ts'
import { expectStatuses, makeEndpoint, makeListeningWorld, postText } from './event-endpoints.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

const post = (world: World, text: string, body?: object) => postText(service, world, text, body)
const makeListening = (types?: string[]) => makeListeningWorld(service, types)

describe('a press on a button', () => {
  const rerun = { id: 'rerun', label: 'Re-run' }

  test('reaches the endpoint of the webhook that wrote the message, in any thread, and no other webhook', async () => {
    const world = await makeWorld(service)
    const [receiver, others] = [await startReceiver(), await startReceiver()]
    const other = await makeWebhook(world.operator, world.workspaceID)
    const endpoint = await makeEndpoint(service, receiver, { webhookID: world.webhook.id })
    await makeEndpoint(service, others, { webhookID: other.id })
    const { threadID } = (
      await postToWebhook(service, other.path, {
        target: world.publicGroup.id,
        threadSubject: 'Deploys',
        text: 'First',
      })
    ).json()
    const { messageID } = await post(world, 'Failed', { target: threadID, buttons: [rerun] })
    await pressButton(world.as(world.ada.id), {
      messageID,
      buttonID: 'rerun',
      buttonsRevision: 0,
      clientKey: 'one',
    })
    await expectStatuses(service, endpoint, ['succeeded'])
    const [{ headers, body, json }] = receiver.received as [(typeof receiver.received)[0]]
    expect(json).toMatchObject({
      type: 'message.buttonPressed',
      event: {
        buttonID: 'rerun',
        user: { id: world.ada.id, name: 'Ada' },
        message: { id: messageID, buttons: [{ buttonID: 'rerun', label: 'Re-run' }] },
        thread: { id: threadID },
      },
    })
    expect(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toEqual(json)
    // The events of a thread arrive in their order.
    await post(world, 'Later', { target: threadID })
    const types = () => others.received.map(({ json }) => json.type)
    await expect.poll(types).toEqual(['thread.created', ...Array(3).fill('message.created')])
  })

  test('reaches the endpoint of the app that wrote the message', async () => {
    const { world, receiver } = await makeListening(['messageButtonPressed'])
    const { message } = await say(world.as(world.app.userID), [world.publicGroup.id], 'Failed')
    await editMessage(world.as(world.app.userID), { messageID: message.id, buttons: [rerun] })
    await pressButton(world.as(world.ada.id), {
      messageID: message.id,
      buttonID: 'rerun',
      buttonsRevision: 1,
      clientKey: 'one',
    })
    await expect.poll(() => receiver.received.map(({ json }) => json.event.buttonID)).toEqual(['rerun'])
  })

  test.each<[string, ((world: World) => { types?: string[]; groupID?: string }) | undefined]>([
    ['without an endpoint', undefined],
    ['whose endpoint does not receive the event', () => ({ types: ['messageCreated'] })],
    ['whose endpoint is for another group', ({ privateGroup }) => ({ groupID: privateGroup.id })],
  ])('on a message of a webhook %s is not offered', async (_what, inputFor) => {
    const world = await makeWorld(service)
    const webhookID = world.webhook.id
    if (inputFor) await makeEndpoint(service, await startReceiver(), { webhookID, ...inputFor(world) })
    const { messageID } = await post(world, 'Failed', { buttons: [rerun] })
    const press = pressButton(world.as(world.ada.id), {
      messageID,
      buttonID: 'rerun',
      buttonsRevision: 0,
      clientKey: 'one',
    })
    await expect(press).rejects.toMatchObject({ reason: 'button_gone' })
  })
})
