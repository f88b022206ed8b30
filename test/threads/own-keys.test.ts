import { describe, expect, test } from 'vitest'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { type GraphQLAnswer, startService } from '../support/service.ts'

const service = await startService()

/** Lets an app start a thread in the public group with the keys "deploy" and "step 1". */
async function startThread(world: World, token = world.app.token) {
  const input = {
    thread: { recipients: [world.publicGroup.id], subject: 'Deploy', threadBy: 'deploy' },
    message: { text: 'x', uniqueBy: 'step 1' },
  }
  const sent = await mutated(service, token, 'sendMessage', input, 'thread { id } message { id }')
  return sent.thread.id as string
}

async function makeOther({ operator, workspaceID }: World) {
  return makeApp(service, operator, workspaceID, ['threads:read', 'threads.messages:read'])
}

const keysIn = ({ data }: GraphQLAnswer) => ({
  threadBy: data.thread.threadBy,
  uniqueBy: data.thread.messages.nodes[0].uniqueBy,
})

function read(token: string, id: string) {
  return service.graphql(
    token,
    'query ($id: ID) { thread(id: $id) { threadBy messages(first: 1) { nodes { uniqueBy } } } }',
    { id },
  )
}

function lookUp(token: string, variables: object) {
  return service.graphql(
    token,
    `query ($id: ID, $threadBy: String, $groupID: ID) {
      thread(id: $id, threadBy: $threadBy, groupID: $groupID) { id } }`,
    variables,
  )
}

describe('the keys of a thread and its message', () => {
  test('are shown to the app that sent them, and to nobody else', async () => {
    const world = await makeWorld(service)
    const id = await startThread(world)
    const other = await makeOther(world)
    expect(keysIn(await read(world.app.token, id))).toEqual({ threadBy: 'deploy', uniqueBy: 'step 1' })
    expect(keysIn(await read(other.token, id))).toEqual({ threadBy: null, uniqueBy: null })
  })
})

describe('the look-up of a thread by its key', () => {
  test('finds the thread of the caller in this group', async () => {
    const world = await makeWorld(service)
    const id = await startThread(world)
    const found = await lookUp(world.app.token, { threadBy: 'deploy', groupID: world.publicGroup.id })
    expect(found.data).toEqual({ thread: { id } })
  })

  test('accepts the ID of the workspace for the General group', async () => {
    const world = await makeWorld(service)
    const { app, workspaceID: groupID } = world
    const input = {
      thread: { recipients: [groupID], subject: 'S', threadBy: 'k' },
      message: { text: 'x' },
    }
    const { thread } = await mutated(service, app.token, 'sendMessage', input, 'thread { id }')
    expect((await lookUp(app.token, { threadBy: 'k', groupID })).data).toEqual({ thread })
  })

  test('returns null for another key, another group, another caller, and a group that the caller has left', async () => {
    const world = await makeWorld(service)
    await startThread(world)
    const { app, publicGroup, privateGroup, generalGroupID } = world
    const { token } = await makeOther(world)
    const searches: [string, object][] = [
      [app.token, { threadBy: 'Deploy', groupID: publicGroup.id }],
      [app.token, { threadBy: 'deploy', groupID: generalGroupID }],
      [app.token, { threadBy: 'deploy', groupID: privateGroup.id }],
      [app.token, { threadBy: 'deploy', groupID: 'grp_unknown' }],
      [token, { threadBy: 'deploy', groupID: publicGroup.id }],
    ]
    for (const [token, variables] of searches)
      expect(await lookUp(token, variables)).toEqual({ data: { thread: null } })
    await world.operator.db.$executeRaw`
      UPDATE groups SET is_private = TRUE WHERE workspace_id = ${world.workspaceID} AND id = ${publicGroup.id}`
    const hidden = await lookUp(app.token, { threadBy: 'deploy', groupID: publicGroup.id })
    expect(hidden).toEqual({ data: { thread: null } })
  })

  test('requires the scope threads:read', async () => {
    const { operator, workspaceID, publicGroup } = await makeWorld(service)
    const { token } = await makeApp(service, operator, workspaceID, ['groups:read'])
    const { errors } = await lookUp(token, { threadBy: 'deploy', groupID: publicGroup.id })
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'threads:read',
    })
  })

  test.each([
    [{}, ['id']],
    [{ threadBy: 'k' }, ['groupID']],
    [{ groupID: 'grp_1' }, ['threadBy']],
    [{ id: 'thr_1', threadBy: 'k' }, ['threadBy']],
    [{ id: 'thr_1', groupID: 'grp_1' }, ['groupID']],
    [{ threadBy: 'a\0b', groupID: '' }, ['threadBy', 'groupID']],
  ])('is refused with the arguments %j', async (variables, fields) => {
    const { app } = await makeWorld(service)
    const { errors } = await lookUp(app.token, variables)
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      errors: fields.map((field) => expect.objectContaining({ field })),
    })
  })
})
