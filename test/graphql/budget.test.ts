import { describe, expect, test } from 'vitest'
import { makeApp, makeWorld, say } from '../support/factories.ts'
import { type Service, startService } from '../support/service.ts'

const byInstallation = await startService({ INSTALLATION_POINTS_PER_MINUTE: '3000' })
const byWorkspace = await startService({ WORKSPACE_POINTS_PER_MINUTE: '3000' })
const unlimited = await startService({
  INSTALLATION_POINTS_PER_MINUTE: '0',
  WORKSPACE_POINTS_PER_MINUTE: '0',
})

const search = '{ searchMessages(query: "alpha", first: 1) { nodes { id } } }'
const me = '{ me { id } }'

async function ask({ app }: Service, token: string, query: string) {
  const answer = await app.inject({
    method: 'POST',
    url: '/public/graphql',
    headers: { authorization: `Bearer ${token}` },
    payload: { query },
  })
  return { status: answer.statusCode, headers: answer.headers, ...answer.json() }
}

/** Returns what the operation costs when its document is cached. */
async function costOf(service: Service, token: string, query: string): Promise<number> {
  for (let n = 0; n < 2; n++) await ask(service, token, query)
  return (await ask(service, token, query)).extensions.cost.requested
}

describe('the cost of an operation', () => {
  test('is returned with the remaining points, in the body and in the headers', async () => {
    const { app } = await makeWorld(byInstallation)
    const first = await ask(byInstallation, app.token, me)
    const second = await ask(byInstallation, app.token, me)
    const { requested, limit, remaining, resetSeconds } = second.extensions.cost
    expect({ limit, remaining }).toEqual({
      limit: 3000,
      remaining: 3000 - first.extensions.cost.requested - requested,
    })
    expect(resetSeconds).toBeGreaterThan(0)
    expect(second.headers['ratelimit-policy']).toContain('"installation-points";q=3000;qu="points";w=60')
    expect(second.headers.ratelimit).toContain(`"installation-points";r=${remaining};t=${resetSeconds}`)
  })

  test('depends on the fields and the page sizes', async () => {
    const { app } = await makeWorld(byWorkspace)
    const costs = {
      me: await costOf(byInstallation, (await makeWorld(byInstallation)).app.token, me),
      page: await costOf(byWorkspace, app.token, '{ users(first: 50) { nodes { id name } } }'),
      html: await costOf(
        byWorkspace,
        app.token,
        '{ threads(first: 1) { nodes { messages(first: 50) { nodes { html } } } } }',
      ),
    }
    expect(costs).toEqual({ me: 2, page: 1 + 50 + 16, html: 1 + 51 + 1000 + 11 })
  })

  test('includes the document itself until it is cached', async () => {
    const { app } = await makeWorld(byInstallation)
    const long = `{ me { id } } # ${'x'.repeat(1000)}`
    const costs: number[] = []
    for (let n = 0; n < 4; n++)
      costs.push((await ask(byInstallation, app.token, long)).extensions.cost.requested)
    expect(costs).toEqual([206, 206, 2, 2].map((cost) => expect.closeTo(cost, -1)))
  })

  test('is also returned for an invalid document', async () => {
    const { app } = await makeWorld(byInstallation)
    const answer = await ask(byInstallation, app.token, '{ nothing }')
    expect(answer.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    expect(answer.extensions.cost).toMatchObject({ requested: 3, remaining: 2997 })
  })

  test('is not returned if there is no limit', async () => {
    const { app } = await makeWorld(unlimited)
    const answer = await ask(unlimited, app.token, me)
    expect([answer.extensions, answer.headers.ratelimit]).toEqual([undefined, undefined])
  })
})

describe('an operation that costs more than the remaining points', () => {
  test('is refused with 429 and Retry-After before it runs', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(byInstallation)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'alpha', 'S')
    await ask(byInstallation, app.token, search)
    const send = `mutation { sendMessage(input: { threadID: "${thread.id}", message: { text: "x" } }) { message { id } } }`
    const refused = await ask(byInstallation, app.token, search)
    expect(refused).toMatchObject({
      status: 429,
      errors: [{ extensions: { code: 'RATE_LIMITED', limit: { name: 'installation-points', max: 3000 } } }],
      extensions: { cost: { limit: 3000 } },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // The remaining points are enough for a small operation.
    expect((await ask(byInstallation, app.token, send)).data.sendMessage.message.id).toMatch(/^msg_/)
  })

  test('is refused with LIMIT_EXCEEDED if it costs more than the whole quota', async () => {
    const { app } = await makeWorld(byInstallation)
    const two = `{ ${[1, 2].map((n) => `s${n}: searchMessages(query: "alpha") { nodes { id } }`).join(' ')} }`
    const refused = await ask(byInstallation, app.token, two)
    const limit = { name: 'installation-points', max: 3000, actual: expect.closeTo(4100, -3) }
    expect(refused.errors[0].extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit })
    expect(refused.headers['retry-after']).toBeUndefined()
    expect((await ask(byInstallation, app.token, search)).status).toBe(200)
  })

  test('changes nothing if it is a mutation', async () => {
    const { app, as, ada, publicGroup } = await makeWorld(byInstallation)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'first', 'S')
    const one = (n: number) =>
      `m${n}: sendMessage(input: { threadID: "${thread.id}", message: { text: "x" } }) { message { id } }`
    await ask(byInstallation, app.token, search)
    const changes = `mutation { ${Array.from({ length: 45 }, (_, n) => one(n)).join(' ')} }`
    expect((await ask(byInstallation, app.token, changes)).status).toBe(429)
    const read = await ask(
      byInstallation,
      app.token,
      `{ thread(id: "${thread.id}") { messages { nodes { text } } } }`,
    )
    expect(read.data.thread.messages.nodes).toEqual([{ text: 'first' }])
  })

  test('does not affect other installations if each installation has its own quota', async () => {
    const world = await makeWorld(byInstallation)
    const other = await makeApp(byInstallation, world.operator, world.workspaceID)
    await ask(byInstallation, world.app.token, search)
    expect((await ask(byInstallation, world.app.token, search)).status).toBe(429)
    expect((await ask(byInstallation, other.token, search)).status).toBe(200)
  })

  test('is refused for all installations of a workspace if they share its quota, but not in other workspaces', async () => {
    const world = await makeWorld(byWorkspace)
    const other = await makeApp(byWorkspace, world.operator, world.workspaceID)
    await ask(byWorkspace, world.app.token, search)
    const refused = await ask(byWorkspace, other.token, search)
    expect(refused.errors[0].extensions).toMatchObject({
      code: 'RATE_LIMITED',
      limit: { name: 'workspace-points' },
    })
    const stranger = await makeWorld(byWorkspace)
    expect((await ask(byWorkspace, stranger.app.token, search)).status).toBe(200)
  })

  test('takes no points of its installation if the quota of its workspace refuses it', async () => {
    const both = await startService({
      INSTALLATION_POINTS_PER_MINUTE: '2500',
      WORKSPACE_POINTS_PER_MINUTE: '3000',
    })
    const world = await makeWorld(both)
    const other = await makeApp(both, world.operator, world.workspaceID)
    await ask(both, world.app.token, search)
    // If a refused search took its points, the quota of the installation would refuse the next one.
    for (let turn = 0; turn < 3; turn += 1) {
      const refused = await ask(both, other.token, search)
      expect(refused.errors[0].extensions).toMatchObject({
        code: 'RATE_LIMITED',
        limit: { name: 'workspace-points', max: 3000 },
      })
    }
  })
})
