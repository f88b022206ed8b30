import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { deleteApp } from '../../src/apps/change-app.ts'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { uninstallApp } from '../../src/apps/installations/uninstall-app.ts'
import { deleteWebhook } from '../../src/apps/webhooks/change-webhook.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { allowsLoopback, startDelivering, startReceiver } from '../support/event-receiver.ts'
import { makeApp, makeWorld, say, type World } from '../support/factories.ts'
import { withFailingStatement } from '../support/failing-statement.ts'
import { mutated } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'
import {
  deliveriesOf,
  expectAttempts,
  expectStatuses,
  makeEndpoint,
  makeListeningWorld,
  moveIntoPast,
  msUntilNextAttempt,
  postText,
  stateOf,
} from './event-endpoints.ts'

const service = await startService({ ...allowsLoopback, EVENT_TIMEOUT_SECONDS: '1' })
startDelivering(service)

const [second, minute, day] = [1000, 60_000, 86_400_000]

const advance = (ms: number) => moveIntoPast(service, ms)
const post = (world: World, text: string, body?: object) => postText(service, world, text, body)
const makeListening = (types?: string[]) => makeListeningWorld(service, types)

/** Waits until the endpoint has read the log of its workspace. */
async function expectRead({ operator: { db }, workspaceID }: World, { id: endpointID }: { id: string }) {
  await sequenceEvents(db)
  service.app.deliveries.wake()
  const { position } = await db.eventHead.findUniqueOrThrow({ where: { workspaceID } })
  await expect
    .poll(async () => (await db.eventListener.findFirst({ where: { endpointID } }))?.position)
    .toBe(position)
}

describe('an event endpoint', () => {
  test('receives an event as a signed request', async () => {
    const { world, receiver, endpoint } = await makeListening()
    const { messageID, threadID } = await post(world, 'Hello')
    await expect.poll(() => receiver.received.length).toBe(1)
    const [{ headers, body, json }] = receiver.received as [(typeof receiver.received)[0]]
    expect(json).toEqual({
      id: headers['webhook-id'],
      type: 'message.created',
      workspaceID: world.workspaceID,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      event: {
        objectID: messageID,
        threadID,
        message: {
          id: messageID,
          text: 'Hello',
          html: '<p>Hello</p>',
          position: 1,
          createdAt: expect.any(String),
          editedAt: null,
          deletedAt: null,
          uniqueBy: null,
          version: null,
          state: null,
          senderName: null,
          allowMentions: true,
          isPlain: false,
          calledAt: expect.any(String),
          buttonsRevision: 0,
          buttons: [],
          user: { id: world.webhook.userID, name: 'Alerts', kind: 'webhook' },
          origin: {
            kind: 'webhook',
            via: 'Alerts',
            isOwn: false,
            appID: null,
            webhookID: world.webhook.id,
          },
          attachments: { nodes: [] },
        },
        thread: expect.objectContaining({ id: threadID, isPeristentChat: true, threadType: 'chat' }),
      },
    })
    expect(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toEqual(json)
    expect(headers['x-skein-event-signature']).toBe(
      createHmac('sha256', endpoint.secret).update(body).digest('hex'),
    )
    expect(headers['content-type']).toBe('application/json')
    await expectStatuses(service, endpoint, ['succeeded'])
    const [delivery] = await deliveriesOf(service, endpoint)
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_/),
      eventID: json.id,
      type: 'messageCreated',
      status: 'succeeded',
      attemptCount: 1,
      attempts: [{ number: 1, status: 200, error: null, response: 'ok' }],
    })
  })

  test('gets the events of its types, with the same IDs as in the connection `events`', async () => {
    const { world, receiver, endpoint } = await makeListening([
      'threadCreated',
      'threadUpdated',
      'reactionAdded',
    ])
    const { as, ada, app, publicGroup } = world
    const { thread, message } = await say(as(ada.id), [publicGroup.id], 'x', 'Before')
    await addReaction(as(ada.id), { messageID: message.id, emoji: '👍' })
    await updateThread(as(ada.id), { threadID: thread.id, subject: 'After' })
    await service.app.eventLog.wake()
    await expect.poll(() => receiver.received.length).toBe(3)
    const bodies = receiver.received.map(({ json }) => json)
    const heard = await service.graphql(
      app.token,
      '{ events(types: [threadCreated, threadUpdated, reactionAdded]) { nodes { id } } }',
    )
    expect(bodies.map(({ id }) => ({ id }))).toEqual(heard.data.events.nodes)
    expect(bodies.map(({ type, event }) => ({ type, event }))).toMatchObject([
      {
        type: 'thread.created',
        event: { thread: { id: thread.id }, message: { id: message.id, text: 'x' } },
      },
      { type: 'reaction.added', event: { emoji: '👍', user: { id: ada.id }, message: { id: message.id } } },
      { type: 'thread.updated', event: { previousSubject: 'Before', thread: { subject: 'After' } } },
    ])
    expect(bodies[0].event.thread).not.toHaveProperty('messages')
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'succeeded'])
    const query = 'query ($endpointID: ID!) { deliveries(endpointID: $endpointID) { nodes { type } } }'
    const { data } = await service.graphql(operatorToken, query, { endpointID: endpoint.id })
    const types = data.deliveries.nodes.map(({ type }: { type: string }) => type)
    expect(types.toSorted()).toEqual(['reactionAdded', 'threadCreated', 'threadUpdated'])
  })

  test('gets only the events of its group', async () => {
    const [world, receiver] = [await makeWorld(service), await startReceiver()]
    const { app, privateGroup, operator } = world
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    const groupID = privateGroup.id
    await makeEndpoint(service, receiver, { appID: app.id, groupID, types: ['messageCreated'] })
    await post(world, 'elsewhere')
    await say(world.as(world.ada.id), [groupID], 'here')
    service.app.eventLog.wake()
    await expect.poll(() => receiver.received.map(({ json }) => json.event.message.text)).toEqual(['here'])
  })

  test('does not hear what the app cannot see, or can no longer see', async () => {
    const [world, receiver] = [await makeWorld(service), await startReceiver()]
    const { app, ada, as, privateGroup, operator } = world
    const groupID = privateGroup.id
    const endpoint = await makeEndpoint(service, receiver, { appID: app.id, types: ['messageCreated'] })
    await say(as(ada.id), [groupID], 'hidden')
    await expectRead(world, endpoint)
    await addMembers(operator, { groupID, userIDs: [app.userID] })
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await say(as(ada.id), [groupID], 'seen')
    service.app.eventLog.wake()
    await expectAttempts(service, endpoint, 1)
    await removeMembers(operator, { groupID, userIDs: [app.userID] })
    await advance(10 * second)
    await expectStatuses(service, endpoint, ['dropped'])
    expect(receiver.received.map(({ json }) => json.event.message.text)).toEqual(['seen'])
  })

  test('does not hear what the scopes of the installation do not include', async () => {
    const [world, receiver] = [await makeWorld(service), await startReceiver()]
    const few = await makeApp(service, world.operator, world.workspaceID, ['groups:read'])
    const endpoint = await makeEndpoint(service, receiver, { appID: few.id })
    await post(world, 'x')
    const { app, workspaceID, operator } = world
    await addMembers(operator, { groupID: world.publicGroup.id, userIDs: [app.userID] })
    service.app.eventLog.wake()
    await expectStatuses(service, endpoint, ['succeeded'])
    expect(receiver.received.map(({ json }) => [json.type, json.workspaceID])).toEqual([
      ['members.added', workspaceID],
    ])
  })
})

describe('a delivery that fails', () => {
  test('is attempted again after 10 seconds, 1 minute and 10 minutes', async () => {
    const { world, receiver, endpoint } = await makeListening()
    receiver.answer = (_received, response) => void response.writeHead(500).end('broken')
    await post(world, 'x')
    for (const [index, gap] of [10 * second, minute, 10 * minute].entries()) {
      await expectAttempts(service, endpoint, index + 1)
      const wait = await msUntilNextAttempt(service, endpoint)
      expect(wait).toBeGreaterThan(gap - 10 * second)
      expect(wait).toBeLessThanOrEqual(gap)
      await advance(gap)
    }
    await expectAttempts(service, endpoint, 4)
    receiver.answer = (_received, response) => void response.end('works')
    await advance(45 * minute)
    await expectStatuses(service, endpoint, ['succeeded'])
    const [delivery] = await deliveriesOf(service, endpoint)
    expect(delivery?.attempts.map(({ status, response }) => [status, response])).toEqual([
      ...Array(4).fill([500, 'broken']),
      [200, 'works'],
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('waits as long as Retry-After says', async () => {
    const { world, receiver, endpoint } = await makeListening()
    receiver.answer = (_received, response) => void response.writeHead(503, { 'retry-after': '120' }).end()
    await post(world, 'x')
    await expectAttempts(service, endpoint, 1)
    const wait = await msUntilNextAttempt(service, endpoint)
    expect([wait > 90 * second, wait <= 120 * second]).toEqual([true, true])
  })

  test('is recorded with the reason if there is no response in time, or no connection', async () => {
    const { world, receiver, endpoint } = await makeListening()
    receiver.answer = () => undefined
    await post(world, 'x')
    await expectAttempts(service, endpoint, 1)
    const closed = await makeEndpoint(service, { url: 'http://127.0.0.1:2/' }, { appID: world.app.id })
    await post(world, 'y')
    await expectAttempts(service, closed, 1)
    const [[late], [refused]] = [await deliveriesOf(service, endpoint), await deliveriesOf(service, closed)]
    expect(late?.attempts).toEqual([
      { number: 1, status: null, error: 'There was no response within 1 seconds.', response: null },
    ])
    expect(refused?.attempts).toEqual([
      { number: 1, status: null, error: 'The request failed with ECONNREFUSED.', response: null },
    ])
  })

  test('keeps the first 4 KiB of the response, and does not follow redirects', async () => {
    const { world, receiver, endpoint } = await makeListening()
    const other = await startReceiver()
    receiver.answer = (_received, response) =>
      void response.writeHead(302, { location: other.url }).end('é\0'.repeat(100_000))
    await post(world, 'x')
    await expectAttempts(service, endpoint, 1)
    const [delivery] = await deliveriesOf(service, endpoint)
    expect(delivery?.attempts[0]?.status).toBe(302)
    expect(delivery?.attempts[0]?.response?.slice(0, 4)).toBe('é\ufffdé\ufffd')
    expect(delivery?.attempts[0]?.response?.length).toBeLessThanOrEqual(4096)
    expect(other.received).toEqual([])
  })

  test('fails permanently after three days, which pauses the endpoint and sends a DM to the admin', async () => {
    const { world, receiver, endpoint } = await makeListening()
    const { operator, ada, workspaceID, generalGroupID: groupID } = world
    const where = { id: endpoint.id }
    await giveRole(operator, { workspaceID, groupID, userID: ada.id, role: 'admin' })
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await post(world, 'x')
    await expectAttempts(service, endpoint, 1)
    await advance(3 * day)
    await expectStatuses(service, endpoint, ['failed'])
    await expect.poll(() => stateOf(service, endpoint)).toBe('paused')
    const dm = await world.operator.db.message.findFirstOrThrow({
      where: { workspaceID, authorID: world.app.userID },
    })
    expect(dm.text).toContain(endpoint.id)
    expect(dm.text).toContain('has failed since')
    const thread = await operator.db.thread.findFirstOrThrow({ where: { workspaceID, id: dm.threadID } })
    expect([thread.dmLowUserID, thread.dmHighUserID].sort()).toEqual([ada.id, world.app.userID].sort())
    receiver.received.length = 0
    receiver.answer = (_received, response) => void response.end()
    await post(world, 'y')
    await mutated(
      service,
      operatorToken,
      'enableEventEndpoint',
      { endpointID: endpoint.id },
      'eventEndpoint { state }',
    )
    await expect
      .poll(() => receiver.received.map(({ json }) => json.event.message.text).filter((text) => text === 'y'))
      .toEqual(['y'])
    expect(await operator.db.eventEndpoint.findFirstOrThrow({ where })).toMatchObject({ failingSince: null })
  })

  test('disables its endpoint if the answer is 410', async () => {
    const { world, receiver, endpoint } = await makeListening()
    receiver.answer = (_received, response) => void response.writeHead(410).end()
    await post(world, 'x')
    await expect.poll(() => stateOf(service, endpoint)).toBe('disabled')
    await expectStatuses(service, endpoint, ['failed'])
    await post(world, 'y')
    await expectStatuses(service, endpoint, ['failed'])
    expect(receiver.received).toHaveLength(1)
  })

  test('sends the DM about a 410 only once, even if the statement that disables the endpoint fails', async () => {
    const { world, receiver, endpoint } = await makeListening()
    const { operator, ada, workspaceID, generalGroupID: groupID } = world
    await giveRole(operator, { workspaceID, groupID, userID: ada.id, role: 'admin' })
    receiver.answer = (_received, response) => void response.writeHead(410).end()
    const failures = () =>
      service.log.filter((line) => line.includes('Connection terminated unexpectedly')).length
    const before = failures()
    await withFailingStatement(operator.db, 'UPDATE event_endpoints SET state', async () => {
      await post(world, 'x')
      await expect.poll(failures).toBe(before + 1)
    })
    expect(await stateOf(service, endpoint)).toBe('active')
    await post(world, 'y')
    await expect.poll(() => stateOf(service, endpoint)).toBe('disabled')
    expect(await operator.db.message.count({ where: { workspaceID, authorID: world.app.userID } })).toBe(1)
  })
})

test('an endpoint that is enabled again receives events that wait for their next attempt', async () => {
  const { world, receiver, endpoint, texts } = await makeListening()
  receiver.answer = ({ json }, response) =>
    void response.writeHead(json.event.message.text === 'a' ? 503 : 410, { 'retry-after': '3600' }).end()
  await post(world, 'a', { threadSubject: 'A' })
  await expectAttempts(service, endpoint, 1)
  await post(world, 'b', { threadSubject: 'B' })
  await expect.poll(() => stateOf(service, endpoint)).toBe('disabled')
  receiver.answer = (_received, response) => void response.end()
  const input = { endpointID: endpoint.id }
  await mutated(service, operatorToken, 'enableEventEndpoint', input, 'eventEndpoint { state }')
  await expectStatuses(service, endpoint, ['succeeded', 'failed'])
  expect(texts()).toEqual(['a', 'b', 'a'])
})

test('a disabled endpoint receives the events that it has missed when it is enabled', async () => {
  const { world, endpoint, texts } = await makeListening()
  const input = { endpointID: endpoint.id }
  const change = async (name: string) =>
    (await mutated(service, operatorToken, name, input, 'eventEndpoint { state }')).eventEndpoint.state
  expect(await change('disableEventEndpoint')).toBe('disabled')
  const other = await makeEndpoint(service, await startReceiver(), {
    appID: world.app.id,
    types: ['messageCreated'],
  })
  await post(world, 'a')
  await expectStatuses(service, other, ['succeeded'])
  expect(texts()).toEqual([])
  expect(await change('enableEventEndpoint')).toBe('active')
  await expectStatuses(service, endpoint, ['succeeded'])
  expect(texts()).toEqual(['a'])
})

describe('the order', () => {
  test('of a thread is kept, and other threads do not wait', async () => {
    const { world, receiver, endpoint, texts } = await makeListening()
    receiver.answer = ({ json }, response) =>
      void response.writeHead(json.event.message.text === 'a1' ? 500 : 200).end()
    const { threadID } = await post(world, 'a1', { threadSubject: 'A' })
    await expectAttempts(service, endpoint, 1)
    await post(world, 'a2', { target: threadID })
    await post(world, 'b1', { threadSubject: 'B' })
    await expectStatuses(service, endpoint, ['pending', 'pending', 'succeeded'])
    expect(texts()).toEqual(['a1', 'b1'])
    receiver.answer = (_received, response) => void response.end()
    await advance(10 * second)
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'succeeded'])
    expect(texts()).toEqual(['a1', 'b1', 'a1', 'a2'])
  })

  test('of many messages of one thread is kept', async () => {
    const { world, endpoint, texts } = await makeListening()
    const numbers = Array.from({ length: 30 }, (_, number) => `${number}`)
    for (const number of numbers) await post(world, number)
    await expectStatuses(
      service,
      endpoint,
      numbers.map(() => 'succeeded'),
    )
    expect(texts()).toEqual(numbers)
  })
})

test('an endpoint that hangs does not delay another one', async () => {
  const { world, receiver, endpoint } = await makeListening()
  receiver.answer = () => undefined
  const other = await startReceiver()
  const second = await makeEndpoint(service, other, { appID: world.app.id, types: ['messageCreated'] })
  for (let count = 0; count < 20; count += 1) await post(world, 'x', { threadSubject: `S${count}` })
  await expect.poll(() => other.received.length).toBe(20)
  expect(receiver.received.length).toBeLessThan(20)
  await expectStatuses(service, second, Array(20).fill('succeeded'))
  await mutated(
    service,
    operatorToken,
    'deleteEventEndpoint',
    { endpointID: endpoint.id },
    'removedEventEndpointID',
  )
})

test('a process takes over a queue that an ended process had claimed', async () => {
  const { world, receiver, endpoint } = await makeListening()
  receiver.answer = (_received, response) => void response.writeHead(500).end()
  await post(world, 'x')
  await expectAttempts(service, endpoint, 1)
  receiver.answer = (_received, response) => void response.end()
  // This is the state of a queue that another process has claimed.
  await world.operator.db.$executeRaw`
    UPDATE event_queues SET claim = claim + 1, next_attempt_at = now() + interval '90 seconds'
    WHERE endpoint_id = ${endpoint.id}`
  await advance(60 * second)
  await post(world, 'y', { threadSubject: 'Other' })
  await expectStatuses(service, endpoint, ['pending', 'succeeded'])
  await advance(40 * second)
  await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
})

describe('the secret', () => {
  test('and the previous secret both sign requests for a day after a rotation', async () => {
    const { world, receiver, endpoint } = await makeListening()
    const rotated = await mutated(
      service,
      operatorToken,
      'rotateEventEndpointSecret',
      { endpointID: endpoint.id },
      'secret eventEndpoint { previousSecretEndsAt }',
    )
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(endpoint.secret)
    const signers = ({ headers, body }: (typeof receiver.received)[0]) =>
      [endpoint.secret, rotated.secret].filter((secret) => isSignedBy(secret, headers, body))
    receiver.answer = (received, response) => void response.end(JSON.stringify(signers(received)))
    await post(world, 'x')
    await expectStatuses(service, endpoint, ['succeeded'])
    await advance(day + second)
    await post(world, 'y')
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded'])
    const [first, later] = await deliveriesOf(service, endpoint)
    expect(first?.attempts[0]?.response).toBe(JSON.stringify([endpoint.secret, rotated.secret]))
    expect(later?.attempts[0]?.response).toBe(JSON.stringify([rotated.secret]))
  })
})

function isSignedBy(secret: string, headers: object, body: string): boolean {
  try {
    return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
  } catch {
    return false
  }
}

describe('a replay', () => {
  test('sends one event again, with the same ID and the current contents', async () => {
    const { world, receiver, endpoint } = await makeListening()
    await post(world, 'old', { uniqueBy: 'k' })
    await expectStatuses(service, endpoint, ['succeeded'])
    await post(world, 'new', { uniqueBy: 'k' })
    const [delivery] = await deliveriesOf(service, endpoint)
    const input = { deliveryID: delivery?.id }
    const replayed = await mutated(service, operatorToken, 'replayDelivery', input, 'delivery { status }')
    expect(replayed.delivery.status).toBe('pending')
    await expect.poll(() => receiver.received.length).toBe(2)
    const [first, again] = receiver.received
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(again?.json.event.message.text).toBe('new')
    await expectStatuses(service, endpoint, ['succeeded'])
    expect((await deliveriesOf(service, endpoint))[0]?.attempts.map(({ number }) => number)).toEqual([1, 2])
  })

  test('sends all events of a range, or all events whose deliveries failed', async () => {
    const { world, receiver, endpoint, texts } = await makeListening()
    for (const text of ['a', 'b', 'c']) {
      await post(world, text)
      await expect.poll(() => texts()).toContain(text)
    }
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'succeeded'])
    const { db } = world.operator
    const [first, failed] = await deliveriesOf(service, endpoint)
    await db.eventDelivery.updateMany({ where: { id: failed?.id ?? '' }, data: { status: 'failed' } })
    receiver.received.length = 0
    const input = { endpointID: endpoint.id }
    const replay = (more: object) =>
      mutated(service, operatorToken, 'replayDeliveries', { ...input, ...more }, 'deliveryCount')
    expect(await replay({ failed: true })).toEqual({ deliveryCount: 1 })
    await expect.poll(() => texts()).toEqual(['b'])
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'succeeded'])
    const { createdAt } = await db.eventDelivery.findFirstOrThrow({ where: { id: first?.id ?? '' } })
    const since = new Date(createdAt.getTime() + 1).toISOString()
    expect(await replay({ since })).toEqual({ deliveryCount: 2 })
    await expect.poll(() => texts()).toEqual(['b', 'b', 'c'])
    expect(await replay({ since, until: since })).toEqual({ deliveryCount: 0 })
  })

  test('that many callers request at the same time succeeds, and leaves nothing pending', async () => {
    const { world, endpoint } = await makeListening()
    await post(world, 'x')
    await expectStatuses(service, endpoint, ['succeeded'])
    const [delivery] = await deliveriesOf(service, endpoint)
    const input = { deliveryID: delivery?.id }
    await Promise.all(
      Array.from({ length: 20 }, () =>
        mutated(service, operatorToken, 'replayDelivery', input, 'delivery { id }'),
      ),
    )
    await expectStatuses(service, endpoint, ['succeeded'])
    await expect
      .poll(() =>
        world.operator.db.eventQueue.findMany({ where: { endpointID: endpoint.id, pending: { gt: 0 } } }),
      )
      .toEqual([])
  })
})

test('a test event is sent, and its delivery can be read', async () => {
  const { receiver, endpoint, world } = await makeListening()
  const input = { endpointID: endpoint.id }
  const { delivery } = await mutated(
    service,
    operatorToken,
    'sendTestEvent',
    input,
    'delivery { id eventID type }',
  )
  expect(delivery.type).toBeNull()
  await expect.poll(() => receiver.received.length).toBe(1)
  expect(receiver.received[0]?.json).toEqual({
    id: delivery.eventID,
    type: 'test',
    workspaceID: world.workspaceID,
    createdAt: expect.any(String),
    event: { endpointID: endpoint.id },
  })
  const node = `{ node(id: "${delivery.id}") { id ... on EventDelivery { status attempts { status } } } }`
  await expect
    .poll(() => service.graphql(operatorToken, node))
    .toEqual({ data: { node: { id: delivery.id, status: 'succeeded', attempts: [{ status: 200 }] } } })
})

describe('an app', () => {
  test('in another workspace hears that it is installed and uninstalled there, and nothing after that', async () => {
    const [world, other, receiver] = [
      await makeWorld(service),
      await makeWorld(service),
      await startReceiver(),
    ]
    const { app } = world
    const types = ['appInstalled', 'messageCreated', 'appUninstalled']
    const endpoint = await makeEndpoint(service, receiver, { appID: app.id, types })
    const place = { workspaceID: other.workspaceID, appID: app.id }
    await post(other, 'before')
    await installApp(other.operator, { ...place, scopes: ['threads:read'] })
    await post(other, 'while')
    await expect.poll(() => receiver.received.length).toBe(2)
    receiver.answer = (_received, response) => void response.writeHead(500).end()
    await post(other, 'pending')
    await expect.poll(() => receiver.received.length).toBe(3)
    await uninstallApp(other.operator, place)
    receiver.answer = (_received, response) => void response.end()
    await post(other, 'after')
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'pending', 'succeeded'])
    await advance(10 * second)
    await expectStatuses(service, endpoint, ['succeeded', 'succeeded', 'dropped', 'succeeded'])
    const received = receiver.received.map(({ json }) => json.type)
    // Only events of one thread or object have an order.
    expect(received.slice(0, 2).toSorted()).toEqual(['app.installed', 'message.created'])
    expect(received.slice(2)).toEqual(['message.created', 'app.uninstalled'])
    expect(receiver.received.every(({ json }) => json.workspaceID === other.workspaceID)).toBe(true)
  })

  test('that is deleted hears that it is uninstalled', async () => {
    const { world, receiver } = await makeListening(['appUninstalled', 'messageCreated'])
    await deleteApp(world.operator, { appID: world.app.id })
    await post(world, 'after')
    await expect.poll(() => receiver.received.map(({ json }) => json.type)).toEqual(['app.uninstalled'])
  })
})

describe('the endpoint of a webhook', () => {
  test('receives the events of the threads that the webhook started, including the replies of other users', async () => {
    const [world, receiver] = [await makeWorld(service), await startReceiver()]
    const { webhook, as, ada, publicGroup } = world
    const endpoint = await makeEndpoint(service, receiver, { webhookID: webhook.id })
    await say(as(ada.id), [publicGroup.id], 'not for the webhook', 'Other')
    await post(world, 'in a chat')
    const { threadID } = await post(world, 'question', { threadSubject: 'Own' })
    await say(as(ada.id), threadID, 'answer')
    service.app.eventLog.wake()
    const heard = () => receiver.received.map(({ json }) => [json.type, json.event.message?.text])
    await expect.poll(heard).toEqual([
      ['thread.created', 'question'],
      ['message.created', 'question'],
      ['message.created', 'answer'],
    ])
    await deleteWebhook(world.operator, { webhookID: webhook.id })
    await say(as(ada.id), threadID, 'too late')
    service.app.eventLog.wake()
    await expectRead(world, endpoint)
    expect(heard()).toHaveLength(3)
  })
})

test('a deleted endpoint receives nothing more', async () => {
  const { world, receiver, endpoint } = await makeListening()
  receiver.answer = (_received, response) => void response.writeHead(500).end()
  await post(world, 'x')
  await expectAttempts(service, endpoint, 1)
  await mutated(
    service,
    operatorToken,
    'deleteEventEndpoint',
    { endpointID: endpoint.id },
    'removedEventEndpointID',
  )
  const other = await startReceiver()
  await makeEndpoint(service, other, { appID: world.app.id, types: ['messageCreated'] })
  await advance(minute)
  await post(world, 'y')
  await expect.poll(() => other.received.length).toBe(1)
  expect(receiver.received).toHaveLength(1)
})
