import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/apps/create-app.ts'
import { sweepEndpoints } from '../../src/feeds/sweep-feeds.ts'
import { newID } from '../../src/platform/ids.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { allowsLoopback } from '../support/event-receiver.ts'
import { makeApp, makeWorld, redirectURI, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { mutate, mutated, mutation, refused } from '../support/mutations.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'
import { makeEndpoint } from './event-endpoints.ts'

const service = await startService()
const local = await startService(allowsLoopback)
const url = 'https://receiver.example.com/hook?tenant=1'

const fields = 'id url types groupID appID webhookID state failingSince creator { id } previousSecretEndsAt'

/** Makes the app user of a world an admin, and returns the app. The token of the app has all scopes. */
async function makeAdminApp(world: World) {
  const { operator, workspaceID, generalGroupID: groupID, app } = world
  await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
  return app
}

const changes: [name: string, more: object][] = [
  ['updateEventEndpoint', { url: 'https://other.example.com/' }],
  ['rotateEventEndpointSecret', {}],
  ['disableEventEndpoint', {}],
  ['enableEventEndpoint', {}],
  ['sendTestEvent', {}],
  ['replayDeliveries', { failed: true }],
  ['deleteEventEndpoint', {}],
]

describe('an admin of the workspace', () => {
  test('creates, reads, changes and deletes endpoints of an app', async () => {
    const world = await makeWorld(service)
    const { token, id: appID, userID } = await makeAdminApp(world)
    const { publicGroup } = world
    const input = { appID, url, types: ['messageCreated', 'messageCreated'], groupID: publicGroup.id }
    const selection = `eventEndpoint { ${fields} } secret`
    const { eventEndpoint, secret } = await mutated(service, token, 'createEventEndpoint', input, selection)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const created = {
      id: expect.stringMatching(/^end_[0-9A-Za-z]{27}$/),
      url,
      types: ['messageCreated'],
      groupID: publicGroup.id,
      appID,
      webhookID: null,
      state: 'active',
      failingSince: null,
      creator: { id: userID },
      previousSecretEndsAt: null,
    }
    expect(eventEndpoint).toEqual(created)
    const endpointID = eventEndpoint.id
    const listed = `{ node(id: "${appID}") { ... on App { eventEndpoints { ${fields} } } }
      eventEndpoint(id: "${endpointID}") { ${fields} } own: node(id: "${endpointID}") { id } }`
    expect(await service.graphql(token, listed)).toEqual({
      data: { node: { eventEndpoints: [created] }, eventEndpoint: created, own: { id: endpointID } },
    })
    const update = { endpointID, url: 'https://other.example.com/', types: null, groupID: null }
    const updated = await mutated(
      service,
      token,
      'updateEventEndpoint',
      update,
      `eventEndpoint { ${fields} }`,
    )
    expect(updated.eventEndpoint).toEqual({ ...created, url: update.url, types: null, groupID: null })
    const deleted = await mutated(
      service,
      token,
      'deleteEventEndpoint',
      { endpointID },
      'removedEventEndpointID',
    )
    expect(deleted).toEqual({ removedEventEndpointID: endpointID })
    expect((await service.graphql(token, listed)).data).toEqual({
      node: { eventEndpoints: [] },
      eventEndpoint: null,
      own: null,
    })
  })

  test('creates an endpoint of a webhook', async () => {
    const world = await makeWorld(service)
    const { token } = await makeAdminApp(world)
    const webhookID = world.webhook.id
    const made = await mutated(
      service,
      token,
      'createEventEndpoint',
      { webhookID, url },
      `eventEndpoint { ${fields} }`,
    )
    expect(made.eventEndpoint).toMatchObject({ appID: null, webhookID, types: null })
    const listed = `{ node(id: "${webhookID}") { ... on Webhook { eventEndpoints { id } } } }`
    expect((await service.graphql(token, listed)).data.node).toEqual({
      eventEndpoints: [{ id: made.eventEndpoint.id }],
    })
  })
})

test('the creator of an app manages its endpoints while members may create apps, and other members do not manage them', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID } = world
  await updateWorkspace(operator, { workspaceID, membersMayCreateApps: true })
  const [creator, other] = [
    await signedIn(service, world, 'member'),
    await signedIn(service, world, 'member'),
  ]
  const app = { workspaceID, name: 'Bot', redirectURIs: [redirectURI] }
  const made = await creator.ask(mutation('createApp', 'app { id }'), { input: app })
  const appID = made.data.createApp.app.id
  const create = mutation('createEventEndpoint', 'eventEndpoint { id creator { id } }')
  const { data } = await creator.ask(create, { input: { appID, url } })
  expect(data.createEventEndpoint.eventEndpoint.creator).toEqual({ id: creator.id })
  const { id: endpointID } = data.createEventEndpoint.eventEndpoint
  const codes = async (name: string, input: object) =>
    (await other.ask(mutation(name, '__typename'), { input })).errors?.map(
      ({ extensions }) => extensions.code,
    )
  expect(await codes('createEventEndpoint', { appID, url })).toEqual(['NOT_FOUND'])
  for (const [name, more] of changes)
    expect(await codes(name, { endpointID, ...more })).toEqual(['NOT_FOUND'])
  expect((await other.ask(`{ eventEndpoint(id: "${endpointID}") { id } }`)).data).toEqual({
    eventEndpoint: null,
  })
  await updateWorkspace(operator, { workspaceID, membersMayCreateApps: false })
  expect((await creator.ask(`{ eventEndpoint(id: "${endpointID}") { id } }`)).data).toEqual({
    eventEndpoint: null,
  })
})

describe('bad input is refused:', () => {
  test.each([
    ['no URL', { url: 'receiver' }, ['url']],
    ['http', { url: 'http://receiver.example.com/' }, ['url']],
    ['another scheme', { url: 'ftp://receiver.example.com/' }, ['url']],
    ['credentials', { url: 'https://user:secret@receiver.example.com/' }, ['url']],
    ['an empty user name', { url: 'https://@receiver.example.com/' }, ['url']],
    ['no slashes', { url: 'https:receiver.example.com' }, ['url']],
    ['the port 0', { url: 'https://receiver.example.com:0/' }, ['url']],
    ['a fragment', { url: 'https://receiver.example.com/#x' }, ['url']],
    ['a loopback address', { url: 'https://127.0.0.1/' }, ['url']],
    ['another form of a loopback address', { url: 'https://0x7f.1/' }, ['url']],
    ['an IPv6 loopback address', { url: 'https://[::1]/' }, ['url']],
    ['a mapped address', { url: 'https://[::ffff:127.0.0.1]/' }, ['url']],
    ['a metadata address', { url: 'https://169.254.169.254/latest' }, ['url']],
    ['a URL that is too long', { url: `https://receiver.example.com/${'x'.repeat(2000)}` }, ['url']],
    ['no types', { types: [] }, ['types']],
    ['several fields', { url: 'x', types: [] }, ['types', 'url']],
    ['neither an app nor a webhook', { appID: null }, ['appID']],
  ])('%s', async (_what, more, names) => {
    const { app } = await makeWorld(service)
    const refusal = await refused(
      service,
      operatorToken,
      'createEventEndpoint',
      { appID: app.id, url, ...more },
      '__typename',
    )
    expect(refusal).toEqual(['INVALID_INPUT', ...names])
    if ('appID' in more) return
    const endpoint = await makeEndpoint(service, { url }, { appID: app.id })
    const update = { endpointID: endpoint.id, ...more }
    expect(await refused(service, operatorToken, 'updateEventEndpoint', update, '__typename')).toEqual([
      'INVALID_INPUT',
      ...names,
    ])
  })

  test('both an app and a webhook', async () => {
    const { app, webhook } = await makeWorld(service)
    const input = { appID: app.id, webhookID: webhook.id, url }
    expect(await refused(service, operatorToken, 'createEventEndpoint', input, '__typename')).toEqual([
      'INVALID_INPUT',
      'appID',
    ])
  })

  test('types that do not concern threads, for a webhook', async () => {
    const { webhook } = await makeWorld(service)
    const input = { webhookID: webhook.id, url, types: ['messageCreated', 'groupCreated'] }
    expect(await refused(service, operatorToken, 'createEventEndpoint', input, '__typename')).toEqual([
      'INVALID_INPUT',
      'types',
    ])
  })

  test('a group that the caller cannot see, or a group of another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const app = await makeAdminApp(world)
    for (const groupID of [world.privateGroup.id, other.publicGroup.id]) {
      const input = { appID: app.id, url, groupID }
      expect(await refused(service, app.token, 'createEventEndpoint', input, '__typename')).toEqual([
        'NOT_FOUND',
      ])
    }
  })

  test('a replay that names neither a range nor failed deliveries', async () => {
    const { app } = await makeWorld(service)
    const { id: endpointID } = await makeEndpoint(service, { url }, { appID: app.id })
    expect(await refused(service, operatorToken, 'replayDeliveries', { endpointID }, '__typename')).toEqual([
      'INVALID_INPUT',
      'since',
    ])
  })
})

describe.runIf(process.env.TEST_DATABASE_URL)('a replay while a delivery is deleted', () => {
  /** Creates an endpoint with failed deliveries. Returns a function that deletes the first one during a call. */
  async function makeFailed(count: number) {
    const { app, operator, workspaceID } = await makeWorld(service)
    const { db } = operator
    const { id: endpointID } = await makeEndpoint(service, { url }, { appID: app.id })
    const firstID = newID('dlv')
    await db.$executeRaw`
      INSERT INTO event_deliveries (workspace_id, id, endpoint_id, key, event_workspace_id, type, object_id,
        event_created_at, status, started_at, created_at)
      SELECT ${workspaceID}, CASE n WHEN 1 THEN ${firstID} ELSE ${firstID} || n END, ${endpointID}, 'k', ${workspaceID},
        'message.created', 'x', now(), 'failed', now(), now() - interval '1 hour' FROM generate_series(1, ${count}) n`
    const deleteDuring = async <T>(call: () => Promise<T>): Promise<T> => {
      const deletion = await inOpenTransaction(db, 'DELETE FROM event_deliveries WHERE id = $1', [firstID])
      const answer = call()
      await untilLockWaits(db)
      await deletion.query('COMMIT')
      await deletion.end()
      return answer
    }
    return { db, endpointID, firstID, deleteDuring }
  }

  test('includes the deliveries of the next step', async () => {
    const { db, endpointID, deleteDuring } = await makeFailed(1001)
    const input = { endpointID, failed: true }
    const replay = () => mutated(service, operatorToken, 'replayDeliveries', input, 'deliveryCount')
    expect(await deleteDuring(replay)).toEqual({ deliveryCount: 1000 })
    expect(await db.eventQueue.findMany({ where: { endpointID } })).toMatchObject([{ pending: 1000 }])
  })

  test('is refused with NOT_FOUND if it is the only delivery', async () => {
    const { firstID: deliveryID, deleteDuring } = await makeFailed(1)
    const replay = () => refused(service, operatorToken, 'replayDelivery', { deliveryID }, '__typename')
    expect(await deleteDuring(replay)).toEqual(['NOT_FOUND'])
  })
})

test('http and private addresses are accepted if the settings list networks', async () => {
  const { app } = await makeWorld(local)
  for (const accepted of ['http://127.0.0.1:8080/', 'https://127.0.0.1/', 'http://receiver.example.com/'])
    await makeEndpoint(local, { url: accepted }, { appID: app.id })
  const input = { appID: app.id, url: 'http://10.0.0.1/' }
  expect(await refused(local, operatorToken, 'createEventEndpoint', input, '__typename')).toEqual([
    'INVALID_INPUT',
    'url',
  ])
})

test('the mutations of an endpoint require a token', async () => {
  const { app } = await makeWorld(service)
  const { id: endpointID } = await makeEndpoint(service, { url }, { appID: app.id })
  const all: [string, object][] = [['createEventEndpoint', { appID: app.id, url }], ...changes]
  for (const [name, more] of all) {
    const input = name === 'createEventEndpoint' ? more : { endpointID, ...more }
    const { errors } = await mutate(service, 'none', name, input, '__typename')
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED'])
  }
})

test('a stranger from another workspace finds neither the endpoint nor its deliveries', async () => {
  const [world, own] = [await makeWorld(service), await makeWorld(service)]
  const { id: endpointID } = await makeEndpoint(service, { url }, { appID: world.app.id })
  const tested = await mutated(service, operatorToken, 'sendTestEvent', { endpointID }, 'delivery { id }')
  const { token } = await makeAdminApp(own)
  for (const [name, more] of changes)
    expect(await refused(service, token, name, { endpointID, ...more }, '__typename')).toEqual(['NOT_FOUND'])
  expect(
    await refused(service, token, 'createEventEndpoint', { appID: world.app.id, url }, '__typename'),
  ).toEqual(['NOT_FOUND'])
  const deliveryID = tested.delivery.id
  for (const name of ['replayDelivery', 'skipDelivery'])
    expect(await refused(service, token, name, { deliveryID }, '__typename')).toEqual(['NOT_FOUND'])
  const { data, errors } = await service.graphql(
    token,
    `{ eventEndpoint(id: "${endpointID}") { id } a: node(id: "${endpointID}") { id } b: node(id: "${deliveryID}") { id }
      deliveries(endpointID: "${endpointID}") { nodes { id } } }`,
  )
  expect(data).toEqual({ eventEndpoint: null, a: null, b: null, deliveries: null })
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND'])
})

test('an app whose user is not an admin cannot create an endpoint for itself', async () => {
  const { app } = await makeWorld(service)
  const input = { appID: app.id, url }
  expect(await refused(service, app.token, 'createEventEndpoint', input, '__typename')).toEqual(['NOT_FOUND'])
})

test('the caller needs the scopes of the installations, because the endpoint hears what the app hears', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, generalGroupID: groupID } = world
  const few = await makeApp(service, operator, workspaceID, ['apps:write', 'webhooks:write'])
  await giveRole(operator, { workspaceID, groupID, userID: few.userID, role: 'admin' })
  const { app } = await createApp(operator, {
    workspaceID,
    name: 'Reader',
    redirectURIs: [redirectURI],
    scopes: ['threads:read'],
  })
  for (const owner of [{ appID: app.id }, { webhookID: world.webhook.id }]) {
    const answer = await mutate(service, few.token, 'createEventEndpoint', { url, ...owner }, '__typename')
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'threads:read',
    })
  }
  const { id: endpointID } = await makeEndpoint(service, { url }, { appID: app.id })
  for (const name of ['updateEventEndpoint', 'rotateEventEndpointSecret'])
    expect(await refused(service, few.token, name, { endpointID }, '__typename')).toEqual([
      'INSUFFICIENT_SCOPE',
    ])
})

test('an app has at most 10 endpoints, even if they are created at the same time', async () => {
  const { app, operator } = await makeWorld(service)
  const answers = await Promise.all(
    Array.from({ length: 14 }, () =>
      mutate(service, operatorToken, 'createEventEndpoint', { appID: app.id, url }, 'eventEndpoint { id }'),
    ),
  )
  const reasons = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.reason))
  expect(reasons).toEqual(Array(4).fill('ENDPOINT_LIMIT'))
  expect(await operator.db.eventEndpoint.count({ where: { appID: app.id } })).toBe(10)
})

describe('the list of deliveries', () => {
  test('has pages, and a filter by status', async () => {
    const { app } = await makeWorld(service)
    const { id: endpointID } = await makeEndpoint(service, { url }, { appID: app.id })
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const made = await mutated(service, operatorToken, 'sendTestEvent', { endpointID }, 'delivery { id }')
      ids.push(made.delivery.id)
    }
    const page = async (args: string) => {
      const { data } = await service.graphql(
        operatorToken,
        `{ deliveries(endpointID: "${endpointID}" ${args}) { nodes { id } pageInfo { endCursor hasNextPage } } }`,
      )
      return data.deliveries
    }
    const first = await page('first: 3')
    expect([first.nodes.map(({ id }: { id: string }) => id), first.pageInfo.hasNextPage]).toEqual([
      ids.slice(0, 3),
      true,
    ])
    const rest = await page(`after: "${first.pageInfo.endCursor}"`)
    expect(rest.nodes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))
    expect((await page('last: 1')).nodes).toEqual([{ id: ids[4] }])
    expect((await page('status: pending')).nodes).toHaveLength(5)
    for (const status of ['succeeded', 'failed', 'dropped'])
      expect((await page(`status: ${status}`)).nodes).toEqual([])
  })
})

describe('the sweep', () => {
  test('deletes old deliveries, and all rows of a deleted endpoint', async () => {
    const { app, operator } = await makeWorld(service)
    const { db } = operator
    const [kept, deleted] = [
      await makeEndpoint(service, { url }, { appID: app.id }),
      await makeEndpoint(service, { url }, { appID: app.id }),
    ]
    for (const { id: endpointID } of [kept, kept, deleted])
      await mutated(service, operatorToken, 'sendTestEvent', { endpointID }, 'delivery { id }')
    const [old] = await db.eventDelivery.findMany({ where: { endpointID: kept.id } })
    const attempt = {
      workspaceID: old?.workspaceID ?? '',
      deliveryID: old?.id ?? '',
      number: 1,
      durationMs: 1,
    }
    await db.eventAttempt.create({ data: { ...attempt, startedAt: new Date() } })
    await db.$executeRaw`UPDATE event_deliveries SET created_at = now() - interval '8 days' WHERE id = ${old?.id}`
    await mutated(service, operatorToken, 'deleteEventEndpoint', { endpointID: deleted.id }, '__typename')
    await db.$executeRaw`UPDATE event_endpoints SET deleted_at = now() - interval '2 hours' WHERE id = ${deleted.id}`
    await sweepEndpoints(db, 7)
    const counts = async (endpointID: string) => ({
      deliveries: await db.eventDelivery.count({ where: { endpointID } }),
      listeners: await db.eventListener.count({ where: { endpointID } }),
      endpoints: await db.eventEndpoint.count({ where: { id: endpointID } }),
    })
    expect(await counts(kept.id)).toEqual({ deliveries: 1, listeners: 1, endpoints: 1 })
    expect(await counts(deleted.id)).toEqual({ deliveries: 0, listeners: 0, endpoints: 0 })
    expect(await db.eventAttempt.count({ where: { deliveryID: old?.id ?? '' } })).toBe(0)
  })

  test('deletes the endpoint of a deleted app only after its last events have expired', async () => {
    const { app, operator } = await makeWorld(service)
    const { db } = operator
    const { id } = await makeEndpoint(service, { url }, { appID: app.id })
    const isDeleted = async () => (await db.eventEndpoint.findFirst({ where: { id } }))?.deletedAt !== null
    await mutated(service, operatorToken, 'deleteApp', { appID: app.id }, 'app { id }')
    await sweepEndpoints(db, 7)
    expect(await isDeleted()).toBe(false)
    await db.$executeRaw`UPDATE apps SET deleted_at = now() - interval '8 days' WHERE id = ${app.id}`
    await db.$executeRaw`UPDATE installations SET uninstalled_at = now() - interval '8 days' WHERE app_id = ${app.id}`
    await sweepEndpoints(db, 7)
    expect(await isDeleted()).toBe(true)
    expect(await db.eventListener.count({ where: { endpointID: id } })).toBe(0)
  })
})
