import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { allowsLoopback, startDelivering, startReceiver } from '../support/event-receiver.ts'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService(allowsLoopback)
startDelivering(service)

describe('an event endpoint of an app', () => {
  test('receives a message as a signed request', async () => {
    const { app, webhook, publicGroup, workspaceID } = await makeWorld(service)
    const receiver = await startReceiver()
    const { secret } = await mutated(
      service,
      operatorToken,
      'createEventEndpoint',
      { appID: app.id, url: receiver.url, types: ['messageCreated'] },
      'eventEndpoint { id url types state } secret',
    )
    const posted = await postToWebhook(service, webhook.path, { target: publicGroup.id, text: 'Hello' })
    const { messageID, threadID } = posted.json()
    await expect.poll(() => receiver.received.length).toBe(1)
    const [{ headers, body, json }] = receiver.received as [(typeof receiver.received)[0]]
    expect(json).toEqual({
      id: headers['webhook-id'],
      type: 'message.created',
      workspaceID,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      event: {
        objectID: messageID,
        threadID,
        message: expect.objectContaining({ id: messageID, text: 'Hello', user: expect.anything() }),
        thread: expect.objectContaining({ id: threadID, isPeristentChat: true }),
      },
    })
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>)
    expect(verified).toEqual(json)
    expect(headers['x-skein-event-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'))
  })
})
