import { describe, expect, test } from 'vitest'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { newID } from '../../src/platform/ids.ts'
import { makeApp, makeWorld, postToWebhook, say, type World } from '../support/factories.ts'
import { mutated, mutation, refusalIn } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()

type Targets = { defaultTarget?: string | null; allowedTargets?: string[] | null }

async function set({ webhook }: World, targets: Targets) {
  const input = { webhookID: webhook.id, ...targets }
  const selection = 'webhook { defaultTarget allowedTargets }'
  return (await mutated(service, operatorToken, 'updateWebhook', input, selection)).webhook
}

/** Changes the settings as another process does. */
async function setElsewhere({ operator, webhook }: World, targets: Targets): Promise<void> {
  const { allowedTargets, ...others } = targets
  const data = { ...others, ...(allowedTargets && { allowedTargets }), revision: { increment: 1 } }
  await operator.db.webhook.updateMany({ where: { id: webhook.id }, data })
}

async function post({ webhook }: World, body: object | string, query = '', headers = {}) {
  return postToWebhook(service, webhook.path + query, body, headers)
}

async function statusesOf(world: World, targets: string[]): Promise<number[]> {
  const answers = await Promise.all(targets.map((target) => post(world, { target, text: 'x' })))
  return answers.map(({ statusCode }) => statusCode)
}

/** Returns the group of the chat that a message went to. */
async function groupOf({ operator }: World, answer: Awaited<ReturnType<typeof post>>) {
  expect(answer.statusCode, answer.body).toBe(200)
  const { threadID } = answer.json()
  return (await operator.db.thread.findFirstOrThrow({ where: { id: threadID } })).chatGroupID
}

describe('the default target', () => {
  test('is where calls without a target go, also of formats and of plain text', async () => {
    const world = await makeWorld(service)
    const groupID = world.publicGroup.id
    expect((await post(world, { text: 'x' })).statusCode).toBe(400)
    expect(await set(world, { defaultTarget: groupID })).toEqual({
      defaultTarget: groupID,
      allowedTargets: [],
    })
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(groupID)
    expect(await groupOf(world, await post(world, { text: 'x', target: null }))).toBe(groupID)
    expect(await groupOf(world, await post(world, 'x', '', { 'content-type': 'text/plain' }))).toBe(groupID)
    const { messages } = (await post(world, { message: 'x' }, '/json')).json()
    expect(messages).toMatchObject([{ created: true }])
  })

  test('counts only if neither the body nor the query has a target', async () => {
    const world = await makeWorld(service)
    const { generalGroupID, publicGroup } = world
    await set(world, { defaultTarget: publicGroup.id })
    expect(await groupOf(world, await post(world, { text: 'x' }, `?target=${generalGroupID}`))).toBe(
      generalGroupID,
    )
    expect(await groupOf(world, await post(world, { text: 'x', target: generalGroupID }))).toBe(
      generalGroupID,
    )
    expect((await post(world, { text: 'x', target: '' })).statusCode).toBe(400)
  })

  test('can be a thread, or the workspace, which means its General group', async () => {
    const world = await makeWorld(service)
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
    await set(world, { defaultTarget: thread.id })
    expect((await post(world, { text: 'x' })).json().threadID).toBe(thread.id)
    const { defaultTarget } = await set(world, { defaultTarget: world.workspaceID })
    expect(defaultTarget).toBe(world.generalGroupID)
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(world.generalGroupID)
  })

  test('is removed by null, and then a call without a target is refused as before', async () => {
    const world = await makeWorld(service)
    const before = (await post(world, { text: 'x' })).json()
    await set(world, { defaultTarget: world.publicGroup.id })
    expect((await post(world, { text: 'x' })).statusCode).toBe(200)
    expect((await set(world, { defaultTarget: null })).defaultTarget).toBeNull()
    expect((await post(world, { text: 'x' })).json()).toEqual({ ...before, requestID: expect.any(String) })
  })

  test('is shown to the webhook, and is where it deletes messages and changes threads by their keys', async () => {
    const world = await makeWorld(service)
    const { path } = world.webhook
    await setElsewhere(world, { defaultTarget: world.publicGroup.id })
    const { app } = service
    const described = (await app.inject({ method: 'GET', url: path })).json()
    expect(described.defaultTarget).toBe(world.publicGroup.id)
    await post(world, { text: 'x', uniqueBy: 'm' })
    await post(world, { text: 'x', threadBy: 't', threadSubject: 'S' })
    await setElsewhere(world, { defaultTarget: world.generalGroupID })
    const erase = () => app.inject({ method: 'DELETE', url: `${path}/messages?uniqueBy=m` })
    const change = () =>
      app.inject({ method: 'PATCH', url: `${path}/threads?threadBy=t`, payload: { closed: true } })
    expect([(await erase()).statusCode, (await change()).statusCode]).toEqual([404, 404])
    await setElsewhere(world, { defaultTarget: world.publicGroup.id })
    expect([(await erase()).statusCode, (await change()).statusCode]).toEqual([200, 200])
  })

  test('that the webhook can no longer see is refused like a missing one', async () => {
    const world = await makeWorld(service)
    await setElsewhere(world, { defaultTarget: world.privateGroup.id })
    expect((await post(world, { text: 'x' })).statusCode).toBe(404)
    await addMembers(world.operator, { groupID: world.privateGroup.id, userIDs: [world.webhook.userID] })
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(world.privateGroup.id)
  })
})

describe('if targets are allowed', () => {
  test('a call for another target is refused, and the answer names no IDs', async () => {
    const world = await makeWorld(service)
    await set(world, { allowedTargets: [world.publicGroup.id] })
    expect(await statusesOf(world, [world.publicGroup.id, world.generalGroupID])).toEqual([200, 403])
    const answer = await post(world, { target: world.generalGroupID, text: 'x' })
    expect(answer.json()).toMatchObject({ code: 'forbidden', errors: [{ field: 'target' }] })
    expect(answer.body).not.toContain(world.publicGroup.id)
    const ofFormats = await Promise.all(
      ['json', 'slack'].map((format) => post(world, { text: 'x' }, `/${format}?target=${world.workspaceID}`)),
    )
    expect(ofFormats.map(({ statusCode }) => statusCode)).toEqual([403, 403])
    expect(ofFormats[1]?.body).toBe('action_prohibited')
    await set(world, { allowedTargets: null })
    expect(await statusesOf(world, [world.generalGroupID])).toEqual([200])
  })

  test('the ID of the workspace and that of its General group mean the same', async () => {
    const world = await makeWorld(service)
    const { workspaceID, generalGroupID, publicGroup } = world
    for (const id of [workspaceID, generalGroupID]) {
      expect(await set(world, { allowedTargets: [id, id] })).toMatchObject({
        allowedTargets: [generalGroupID],
      })
      expect(await statusesOf(world, [workspaceID, generalGroupID, publicGroup.id])).toEqual([200, 200, 403])
    }
  })

  test('the threads and the chat of an allowed group are allowed, and the default target is', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, publicGroup, generalGroupID, webhook } = world
    const [own, ofOthers, elsewhere] = [
      (await post(world, { target: publicGroup.id, threadSubject: 'S', text: 'x' })).json().threadID,
      (await say(as(ada.id), [grace.id, publicGroup.id], 'x', 'S')).thread.id,
      (await say(as(ada.id), [generalGroupID], 'x', 'S')).thread.id,
    ]
    const chat = (await post(world, { target: publicGroup.id, text: 'x' })).json().threadID
    const withWebhook = (await say(as(ada.id), [webhook.userID, grace.id], 'x', 'S')).thread.id
    const all = [own, ofOthers, chat, elsewhere, withWebhook]
    expect(await statusesOf(world, all)).toEqual([200, 200, 200, 200, 200])
    await set(world, { allowedTargets: [publicGroup.id] })
    expect(await statusesOf(world, all)).toEqual([200, 200, 200, 403, 403])
    await set(world, { defaultTarget: generalGroupID })
    expect(await statusesOf(world, all)).toEqual([200, 200, 200, 200, 403])
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(generalGroupID)
  })

  test('only a thread that is allowed itself is, and not its group', async () => {
    const world = await makeWorld(service)
    const { thread } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
    const { thread: other } = await say(world.as(world.ada.id), [world.publicGroup.id], 'first', 'S')
    await set(world, { allowedTargets: [thread.id] })
    expect(await statusesOf(world, [thread.id, other.id, world.publicGroup.id])).toEqual([200, 403, 403])
  })

  test('a thread that the webhook cannot see is refused like a missing one', async () => {
    const world = await makeWorld(service)
    const { thread } = await say(world.as(world.ada.id), [world.privateGroup.id], 'secret', 'S')
    await set(world, { allowedTargets: [world.privateGroup.id] })
    expect(await statusesOf(world, [thread.id, newID('thr')])).toEqual([403, 403])
  })
})

describe('a change in another process counts', () => {
  test('for the next call, also while the old settings are cached here', async () => {
    const world = await makeWorld(service)
    const { publicGroup, generalGroupID } = world
    expect(await statusesOf(world, [publicGroup.id])).toEqual([200])
    await setElsewhere(world, { defaultTarget: publicGroup.id })
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(publicGroup.id)
    await setElsewhere(world, { defaultTarget: generalGroupID })
    expect(await groupOf(world, await post(world, { text: 'x' }))).toBe(generalGroupID)
    await setElsewhere(world, { allowedTargets: [publicGroup.id], defaultTarget: null })
    expect(await statusesOf(world, [generalGroupID, publicGroup.id])).toEqual([403, 200])
    await setElsewhere(world, { allowedTargets: [] })
    expect(await statusesOf(world, [generalGroupID])).toEqual([200])
  })

  test('for a call that opens a thread, and for one that a format skips', async () => {
    const world = await makeWorld(service)
    const { publicGroup, generalGroupID } = world
    const opening = { target: generalGroupID, threadSubject: 'S', text: 'x' }
    const skipped = () => post(world, {}, `/json?target=${generalGroupID}`)
    expect((await post(world, opening)).statusCode).toBe(200)
    expect((await skipped()).json()).toHaveProperty('skipped')
    await setElsewhere(world, { allowedTargets: [publicGroup.id] })
    expect((await skipped()).statusCode).toBe(403)
    await setElsewhere(world, { allowedTargets: [] })
    expect((await post(world, opening)).statusCode).toBe(200)
    await setElsewhere(world, { allowedTargets: [publicGroup.id] })
    expect((await post(world, opening)).statusCode).toBe(403)
  })

  test('for all of many calls at the same time', async () => {
    const world = await makeWorld(service)
    const { publicGroup, generalGroupID } = world
    const targets = Array.from({ length: 20 }, (_, index) => (index % 2 ? publicGroup.id : generalGroupID))
    expect(new Set(await statusesOf(world, targets))).toEqual(new Set([200]))
    await setElsewhere(world, { allowedTargets: [publicGroup.id] })
    expect(await statusesOf(world, targets)).toEqual(
      targets.map((target) => (target === publicGroup.id ? 200 : 403)),
    )
  })
})

describe('a target must exist in the workspace, and be visible to the person who sets it:', () => {
  test.each(['defaultTarget', 'allowedTargets'] as const)('%s', async (field) => {
    const [world, stranger] = [await makeWorld(service), await makeWorld(service)]
    const { webhook, privateGroup, publicGroup, as, ada, grace } = world
    const admin = await signedIn(service, world, 'admin')
    const { thread: hidden } = await say(as(ada.id), [grace.id], 'psst')
    const { thread } = await say(as(ada.id), [publicGroup.id], 'first', 'S')
    const named = (id: string) => ({ [field]: field === 'defaultTarget' ? id : [publicGroup.id, id] })
    const update = (id: string) =>
      admin.ask(mutation('updateWebhook', 'webhook { id }'), {
        input: { webhookID: webhook.id, ...named(id) },
      })
    const create = (id: string) =>
      admin.ask(mutation('createWebhook', 'webhook { id }'), {
        input: { workspaceID: world.workspaceID, name: newID('wbh'), ...named(id) },
      })
    for (const id of [publicGroup.id, thread.id, world.workspaceID]) {
      expect((await update(id)).errors).toBeUndefined()
      expect((await create(id)).errors).toBeUndefined()
    }
    const strange = [stranger.publicGroup.id, stranger.workspaceID, newID('grp'), newID('thr'), ada.id]
    const name = field === 'defaultTarget' ? field : 'allowedTargets.1'
    for (const id of [privateGroup.id, hidden.id, ...strange]) {
      expect(refusalIn(await update(id), 'updateWebhook')).toEqual(['INVALID_INPUT', name])
      expect(refusalIn(await create(id), 'createWebhook')).toEqual(['INVALID_INPUT', name])
    }
  })

  test('the operator can name all of the workspace', async () => {
    const [world, stranger] = [await makeWorld(service), await makeWorld(service)]
    const { thread } = await say(world.as(world.ada.id), [world.grace.id], 'psst')
    await set(world, { allowedTargets: [thread.id, world.privateGroup.id] })
    const update = mutation('updateWebhook', 'webhook { id }')
    const input = { webhookID: world.webhook.id, defaultTarget: stranger.publicGroup.id }
    const answer = await service.graphql(operatorToken, update, { input })
    expect(refusalIn(answer, 'updateWebhook')).toEqual(['INVALID_INPUT', 'defaultTarget'])
  })

  test('a target that the webhook has already can stay', async () => {
    const world = await makeWorld(service)
    const { webhook, privateGroup, publicGroup } = world
    await setElsewhere(world, { allowedTargets: [privateGroup.id], defaultTarget: privateGroup.id })
    const admin = await signedIn(service, world, 'admin')
    const targets = { allowedTargets: [publicGroup.id, privateGroup.id], defaultTarget: privateGroup.id }
    const input = { webhookID: webhook.id, ...targets }
    const { data, errors } = await admin.ask(mutation('updateWebhook', 'webhook { allowedTargets }'), {
      input,
    })
    expect(errors).toBeUndefined()
    expect(data.updateWebhook.webhook.allowedTargets).toEqual(input.allowedTargets)
  })

  test('a default target must be visible to the webhook, too', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, as, ada, grace, webhook, privateGroup } = world
    const admin = await signedIn(service, world, 'admin')
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [admin.id] })
    const { thread } = await say(as(ada.id), [privateGroup.id], 'first', 'S')
    const { thread: others } = await say(as(ada.id), [admin.id, grace.id], 'first', 'S')
    const update = (id: string) =>
      admin.ask(mutation('updateWebhook', 'webhook { defaultTarget }'), {
        input: { webhookID: webhook.id, defaultTarget: id },
      })
    const create = (id: string) =>
      admin.ask(mutation('createWebhook', 'webhook { id }'), {
        input: { workspaceID, name: newID('wbh'), defaultTarget: id },
      })
    for (const id of [privateGroup.id, thread.id, others.id]) {
      const answers = { updateWebhook: await update(id), createWebhook: await create(id) }
      for (const [name, answer] of Object.entries(answers)) {
        expect(refusalIn(answer, name)).toEqual(['INVALID_INPUT', 'defaultTarget'])
        expect(answer.errors?.[0]?.message).toContain('that the webhook cannot see')
      }
    }
    expect(await operator.db.user.count({ where: { workspaceID, kind: 'webhook' } })).toBe(1)
    await set(world, { allowedTargets: [privateGroup.id] })
    expect(refusalIn(await update(privateGroup.id), 'updateWebhook')).toEqual([
      'INVALID_INPUT',
      'defaultTarget',
    ])
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [webhook.userID] })
    for (const id of [thread.id, privateGroup.id]) {
      expect((await update(id)).data.updateWebhook.webhook.defaultTarget).toBe(id)
      expect((await post(world, { text: 'x' })).statusCode).toBe(200)
    }
  })

  test('an app needs the scopes with which it could read them', async () => {
    const { operator, workspaceID, generalGroupID: groupID, webhook, publicGroup } = await makeWorld(service)
    const { token, userID } = await makeApp(service, operator, workspaceID, ['webhooks:write'])
    await giveRole(operator, { workspaceID, groupID, userID, role: 'admin' })
    for (const [defaultTarget, scope] of [
      [publicGroup.id, 'groups:read'],
      [newID('thr'), 'threads:read'],
    ]) {
      const input = { webhookID: webhook.id, defaultTarget }
      const { errors } = await service.graphql(token, mutation('updateWebhook', 'webhook { id }'), { input })
      expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: scope } }])
    }
  })

  test('there are at most 100', async () => {
    const { webhook } = await makeWorld(service)
    const input = { webhookID: webhook.id, allowedTargets: Array.from({ length: 101 }, () => newID('grp')) }
    const update = mutation('updateWebhook', 'webhook { id }')
    const answer = await service.graphql(operatorToken, update, { input })
    expect(refusalIn(answer, 'updateWebhook')).toEqual(['INVALID_INPUT', 'allowedTargets'])
  })
})
