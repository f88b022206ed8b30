import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deleteApp } from '../../src/apps/change-app.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { deleteWebhook, disableWebhook, enableWebhook } from '../../src/apps/webhooks/change-webhook.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import { eventTypes } from '../../src/events/event-types.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { sweepEvents } from '../../src/events/sweep-events.ts'
import { typeName } from '../../src/feeds/resolvers.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { removeMembers } from '../../src/groups/members/remove-members.ts'
import { updateMember } from '../../src/groups/members/update-member.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { addReaction, removeReaction } from '../../src/messages/reactions/react.ts'
import { addRecipients, removeRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { makeApp, makeWorld, postToWebhook, redirectURI, say, type World } from '../support/factories.ts'
import { repository } from '../support/process.ts'
import { operatorToken, startService } from '../support/service.ts'
import { latestCursor } from '../support/subscribers.ts'

const service = await startService()

type Event = Record<string, unknown> & { type: string; cursor: string; objectID: string }
type Page = { nodes: Event[]; pageInfo: { endCursor: string; hasNextPage: boolean } }

const document = `query ($first: Int, $after: String, $types: [EventType!], $threadID: ID, $groupID: ID) {
  events(first: $first, after: $after, types: $types, threadID: $threadID, groupID: $groupID) {
    nodes {
      id type cursor workspaceID createdAt objectID threadID userIDs recipientIDs role emoji previousSubject
      message { id text deletedAt } user { id }
    }
    pageInfo { endCursor hasNextPage }
  }
}`

async function ask(token: string, variables: object = {}) {
  const { data, errors } = await service.graphql(token, document, variables)
  return { page: data?.events as Page, errors }
}

/** Returns all events until now that the token can read. */
async function heard(token: string, variables: object = {}): Promise<Event[]> {
  const { page, errors } = await ask(token, { first: 100, ...variables })
  expect(errors).toBeUndefined()
  return page.nodes
}

const typesOf = (events: Event[]) => events.map(({ type }) => type)

async function makeOwner(world: World) {
  const owner = await makeApp(service, world.operator, world.workspaceID)
  const groupID = world.generalGroupID
  await updateMember(world.operator, { groupID, userID: owner.userID, role: 'admin' })
  return owner
}

test('the recipientIDs of an event leave out the groups that the reader cannot see', async () => {
  const { as, ada, grace, app, publicGroup, privateGroup } = await makeWorld(service)
  const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'S')
  const recipientIDs = [privateGroup.id, grace.id]
  await addRecipients(as(ada.id), { threadID: thread.id, recipientIDs })
  const [event] = await heard(app.token, { types: ['recipientsAdded'] })
  expect(event?.recipientIDs).toEqual([grace.id])
})

describe('events', () => {
  test('report every kind of change, once and in order', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, as, ada, grace, app, webhook, publicGroup } = world
    const owner = await makeOwner(world)
    const after = await latestCursor(service, owner.token)
    const { thread, message } = await say(as(ada.id), [publicGroup.id], 'one', 'S')
    const [threadID, messageID] = [thread.id, message.id]
    await postToWebhook(service, webhook.path, { target: threadID, text: 'two', uniqueBy: 'k' })
    await postToWebhook(service, webhook.path, { target: threadID, text: 'three', uniqueBy: 'k' })
    await editMessage(as(ada.id), { messageID, text: 'four' })
    await addReaction(as(grace.id), { messageID, emoji: '👍' })
    await addReaction(as(grace.id), { messageID, emoji: '👍' })
    await removeReaction(as(grace.id), { messageID, emoji: '👍' })
    await removeReaction(as(grace.id), { messageID, emoji: '👍' })
    await editMessage(as(ada.id), { messageID, buttons: [{ id: 'go', label: 'Go' }] })
    for (const clientKey of ['one', 'one'])
      await pressButton(as(grace.id), { messageID, buttonID: 'go', buttonsRevision: 1, clientKey })
    await deleteMessage(as(ada.id), { messageID })
    await updateThread(as(ada.id), { threadID, subject: 'T', closed: true })
    await addRecipients(as(ada.id), { threadID, recipientIDs: [grace.id] })
    await removeRecipients(as(ada.id), { threadID, recipientIDs: [grace.id] })
    const group = await createGroup(operator, { workspaceID, name: 'G' })
    await updateGroup(operator, { groupID: group.id, name: 'H' })
    await addMembers(operator, { groupID: group.id, userIDs: [ada.id, grace.id] })
    await updateMember(operator, { groupID: group.id, userID: ada.id, role: 'admin' })
    await removeMembers(operator, { groupID: group.id, userIDs: [ada.id] })
    const person = await createPerson(operator, { workspaceID, name: 'P' })
    await updatePerson(operator, { userID: person.id, name: 'Q' })
    await deletePerson(operator, { userID: person.id })
    const made = await createApp(operator, { workspaceID, name: 'Bot', redirectURIs: [redirectURI] })
    await deleteApp(operator, { appID: made.app.id })
    const hook = await createWebhook(operator, { workspaceID, name: 'Hook' })
    await disableWebhook(operator, { webhookID: hook.webhook.id })
    await enableWebhook(operator, { webhookID: hook.webhook.id })
    await deleteWebhook(operator, { webhookID: hook.webhook.id })
    const events = await heard(owner.token, { after })
    expect(typesOf(events)).toEqual([
      'threadCreated',
      'messageCreated',
      'messageCreated',
      'messageUpdated',
      'messageUpdated',
      'reactionAdded',
      'reactionRemoved',
      'messageUpdated',
      'messageButtonPressed',
      'messageDeleted',
      'threadUpdated',
      'threadUpdated',
      'recipientsAdded',
      'recipientsRemoved',
      'groupCreated',
      'groupUpdated',
      'membersAdded',
      'memberUpdated',
      'membersRemoved',
      'memberUpdated',
      'userCreated',
      'userUpdated',
      'userDeactivated',
      'userCreated',
      'appInstalled',
      'appUninstalled',
      'userDeactivated',
      'userCreated',
      'webhookCreated',
      'webhookDisabled',
      'webhookUpdated',
      'webhookDeleted',
      'userDeactivated',
    ])
    expect(new Set(typesOf(events))).toEqual(new Set(eventTypes.map(typeName)))
    const of = (type: string) => events.filter((event) => event.type === type)
    expect(of('messageCreated')[0]).toMatchObject({
      id: expect.stringMatching(/^evt_\w{27}$/),
      workspaceID,
      createdAt: expect.stringMatching(/Z$/),
      threadID,
      objectID: messageID,
      message: { id: messageID, text: '', deletedAt: expect.any(String) },
    })
    expect(of('reactionAdded')).toMatchObject([{ emoji: '👍', user: { id: grace.id }, objectID: messageID }])
    expect(of('threadUpdated')[0]).toMatchObject({
      previousSubject: 'S',
      message: { text: 'Changed the subject to “T”.' },
    })
    expect(of('recipientsRemoved')).toMatchObject([{ threadID, recipientIDs: [grace.id] }])
    expect(of('membersAdded')).toMatchObject([{ objectID: group.id, userIDs: [ada.id, grace.id].sort() }])
    expect(of('memberUpdated')).toMatchObject([
      { userIDs: [ada.id], role: 'admin' },
      { userIDs: [grace.id], role: 'admin' },
    ])
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    expect(await heard(app.token, { after, types: ['messageCreated'] })).toHaveLength(2)
  })

  test('are read in pages without gaps or repetitions', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup, app } = world
    const after = await latestCursor(service, app.token)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'message 0', 'S')
    await Promise.all(Array.from({ length: 120 }, (_, n) => say(as(ada.id), thread.id, `message ${n + 1}`)))
    const all: Event[] = []
    for (let cursor = after, isLast = false; !isLast; ) {
      const { page } = await ask(app.token, { first: 50, after: cursor, types: ['messageCreated'] })
      all.push(...page.nodes)
      cursor = page.pageInfo.endCursor
      isLast = !page.pageInfo.hasNextPage
    }
    expect(new Set(all.map(({ objectID }) => objectID)).size).toBe(121)
    expect(all).toHaveLength(121)
    const positions = await world.operator.db.message.findMany({ where: { threadID: thread.id } })
    const positionOf = new Map(positions.map(({ id, position }) => [id, position]))
    const inOrder = all.map(({ objectID }) => positionOf.get(objectID) ?? 0)
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other))
    const second = await ask(app.token, { after: all[10]?.cursor, first: 1, types: ['messageCreated'] })
    expect(second.page.nodes[0]?.objectID).toBe(all[11]?.objectID)
  })

  test('move the end cursor even if the caller receives none of them', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, app } = world
    const after = await latestCursor(service, app.token)
    await say(as(ada.id), [grace.id], 'a secret')
    const { page } = await ask(app.token, { after })
    expect(page).toEqual({
      nodes: [],
      pageInfo: { endCursor: await latestCursor(service, app.token), hasNextPage: false },
    })
    expect(page.pageInfo.endCursor).not.toBe(after)
  })

  test('can be limited to a thread, and to a group with its threads', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup, app, operator } = world
    const after = await latestCursor(service, app.token)
    const one = await say(as(ada.id), [publicGroup.id], 'one', 'S')
    const other = await say(as(ada.id), [world.generalGroupID], 'other', 'S')
    await updateGroup(operator, { groupID: publicGroup.id, name: 'New' })
    const ofThread = await heard(app.token, { after, threadID: other.thread.id })
    expect(ofThread.map(({ objectID }) => objectID)).toEqual([other.thread.id, other.message.id])
    const ofGroup = await heard(app.token, { after, groupID: publicGroup.id })
    expect(ofGroup.map(({ objectID }) => objectID)).toEqual([one.thread.id, one.message.id, publicGroup.id])
  })
})

describe('the right to receive an event', () => {
  test('is checked when the event is read', async () => {
    const world = await makeWorld(service)
    const { as, ada, app, privateGroup, operator } = world
    const after = await latestCursor(service, app.token)
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [ada.id] })
    const { message } = await say(as(ada.id), [privateGroup.id], 'inside', 'S')
    const ids = async () => (await heard(app.token, { after })).map(({ objectID }) => objectID)
    const isMember = await world.operator.db.groupMember.count({
      where: { groupID: privateGroup.id, userID: app.userID },
    })
    if (isMember) await removeMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    expect(await ids()).not.toContain(message.id)
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    expect(await ids()).toContain(message.id)
  })

  test('lets a removed member or recipient receive the removal, but no later event', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, app, privateGroup, operator } = world
    await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID, ada.id] })
    const { thread } = await say(as(ada.id), [grace.id, app.userID], 'hello', 'S')
    const after = await latestCursor(service, app.token)
    await removeRecipients(as(ada.id), { threadID: thread.id, recipientIDs: [app.userID] })
    await say(as(ada.id), thread.id, 'without you')
    await removeMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID] })
    await updateGroup(operator, { groupID: privateGroup.id, name: 'Hidden' })
    const events = await heard(app.token, { after })
    expect(events).toMatchObject([
      { type: 'recipientsRemoved', threadID: thread.id, recipientIDs: [app.userID], message: null },
      { type: 'membersRemoved', objectID: privateGroup.id, userIDs: [app.userID] },
    ])
  })

  test('does not reveal hidden groups among the recipients', async () => {
    const world = await makeWorld(service)
    const { as, ada, grace, app, webhook, publicGroup, privateGroup } = world
    const { thread } = await say(as(ada.id), [publicGroup.id], 'hello', 'S')
    const change = {
      threadID: thread.id,
      recipientIDs: [grace.id, webhook.userID, privateGroup.id, world.generalGroupID],
    }
    const after = await latestCursor(service, app.token)
    await addRecipients(as(ada.id), change)
    await removeRecipients(as(ada.id), change)
    const recipientIDs = [grace.id, webhook.userID, world.generalGroupID]
    for (const { recipientIDs: named } of await heard(app.token, { after }))
      expect([...(named as string[])].sort()).toEqual(recipientIDs.sort())
    const owner = await makeOwner(world)
    await addMembers(world.operator, { groupID: privateGroup.id, userIDs: [owner.userID] })
    const [added] = await heard(owner.token, { after, threadID: thread.id })
    expect(added).toMatchObject({ recipientIDs: expect.arrayContaining([...recipientIDs, privateGroup.id]) })
  })

  test('needs the scope of each type', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, as, ada, publicGroup } = world
    const reader = await makeApp(service, operator, workspaceID, ['groups:read'])
    const after = await latestCursor(service, reader.token)
    await say(as(ada.id), [publicGroup.id], 'one', 'S')
    await updateGroup(operator, { groupID: publicGroup.id, name: 'New' })
    expect(typesOf(await heard(reader.token, { after }))).toEqual(['groupUpdated'])
    const { errors } = await ask(reader.token, { types: ['messageCreated'] })
    expect(errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'threads.messages:read' } },
    ])
  })

  test('does not extend to other workspaces', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const told = await say(world.as(world.ada.id), [world.publicGroup.id], 'one')
    expect(await heard(other.app.token)).toEqual([])
    const { errors } = await ask(other.app.token, { threadID: told.thread.id })
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })

  test('is not given to the operator, or to a caller without a token', async () => {
    expect((await ask(operatorToken)).errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
    expect((await ask('none')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })
})

describe('a cursor', () => {
  test('expires with the events after it', async () => {
    const world = await makeWorld(service)
    const { as, ada, publicGroup, app, operator, workspaceID } = world
    const { db } = operator
    await say(as(ada.id), [publicGroup.id], 'one')
    const [first] = await heard(app.token)
    const latest = await latestCursor(service, app.token)
    await db.$executeRaw`UPDATE event_batches SET created_at = now() - interval '8 days' WHERE workspace_id = ${workspaceID}`
    await sweepEvents(db, 7)
    const { errors } = await ask(app.token, { after: first?.cursor })
    expect(errors).toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }])
    expect(await heard(app.token, { after: latest })).toEqual([])
    await say(as(ada.id), [publicGroup.id], 'two')
    expect(typesOf(await heard(app.token, { after: latest }))).toContain('messageCreated')
    expect(typesOf(await heard(app.token))).toContain('messageCreated')
  })

  const cursorOf = (text: string) => Buffer.from(JSON.stringify(['events', text])).toString('base64url')

  test('of an earlier version expires, except at the beginning of the log', async () => {
    const { app } = await makeWorld(service)
    const { errors } = await ask(app.token, { after: cursorOf('1') })
    expect(errors).toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }])
    expect(await heard(app.token, { after: cursorOf('0') })).toEqual(await heard(app.token))
  })

  test('of another workspace has expired', async () => {
    const worlds = [await makeWorld(service), await makeWorld(service)] as const
    for (const { as, ada, publicGroup } of worlds) await say(as(ada.id), [publicGroup.id], 'one')
    const [{ app }, other] = worlds
    const after = await latestCursor(service, other.app.token)
    const { errors } = await ask(app.token, { after })
    expect(errors).toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }])
  })

  test.each([
    'x',
    cursorOf('-1'),
    cursorOf('1.x'),
  ])('that does not belong to this log is refused: %s', async (after) => {
    const { app } = await makeWorld(service)
    expect((await ask(app.token, { after })).errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'after' }] } },
    ])
  })
})

test('a chat that several callers request first at the same time is created once, with one event', async () => {
  const { app } = await makeWorld(service)
  const after = await latestCursor(service, app.token)
  const query = '{ users { nodes { chat { id } } } groups { nodes { chat { id } } } }'
  const answers = await Promise.all(Array.from({ length: 20 }, () => service.graphql(app.token, query)))
  const { users, groups } = answers[0]?.data ?? {}
  const chatIDs = [...users.nodes, ...groups.nodes].flatMap(({ chat }) => (chat ? [chat.id] : []))
  const events = await heard(app.token, { after })
  expect(new Set(typesOf(events))).toEqual(new Set(['threadCreated']))
  expect(events.map(({ objectID }) => objectID).sort()).toEqual(chatIDs.sort())
  expect(chatIDs).toHaveLength(5)
})

test('a message that is refused leaves no event', async () => {
  const { app, publicGroup, webhook } = await makeWorld(service)
  const after = await latestCursor(service, app.token)
  const body = { target: publicGroup.id, text: 'x', attachments: ['fil_000000000000000000000000000'] }
  expect((await postToWebhook(service, webhook.path, body)).statusCode).toBe(400)
  expect(await heard(app.token, { after })).toEqual([])
})

test('a reader gets each event of a hundred concurrent writers once, and the events of each thread in order', async () => {
  const world = await makeWorld(service)
  const { app, publicGroup, webhook, operator } = world
  let cursor = await latestCursor(service, app.token)
  const all: Event[] = []
  const read = async () => {
    const { page } = await ask(app.token, {
      first: 100,
      after: cursor,
      types: ['messageCreated', 'messageUpdated'],
    })
    all.push(...page.nodes)
    cursor = page.pageInfo.endCursor
    return page.pageInfo.hasNextPage
  }
  let isWriting = true
  const reading = (async () => {
    while (isWriting) await read()
  })()
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_, writer) => {
      const own = { target: publicGroup.id, threadBy: `t${writer % 7}`, threadSubject: 'S' }
      const results: number[] = []
      for (let turn = 0; turn < 5; turn += 1) {
        const body = {
          ...own,
          text: `${writer} ${turn}`,
          ...(writer % 3 === 0 && { uniqueBy: `k${writer}` }),
        }
        results.push((await postToWebhook(service, webhook.path, body)).statusCode)
      }
      return results
    }),
  )
  isWriting = false
  await reading
  while (await read()) {}
  expect(new Set(statuses.flat())).toEqual(new Set([200]))
  const messages = await operator.db.message.findMany({ where: { workspaceID: world.workspaceID } })
  const created = all.filter(({ type }) => type === 'messageCreated')
  const own = messages.filter(({ threadID }) => created.some((event) => event.threadID === threadID))
  expect(created.map(({ objectID }) => objectID).sort()).toEqual(own.map(({ id }) => id).sort())
  const positionOf = new Map(messages.map(({ id, position }) => [id, position]))
  for (const threadID of new Set(created.map(({ threadID }) => threadID))) {
    const positions = created
      .filter((event) => event.threadID === threadID)
      .map(({ objectID }) => positionOf.get(objectID))
    expect(positions).toEqual(positions.map((_, index) => index + 1))
  }
  const writersWithKey = 34
  expect(all.filter(({ type }) => type === 'messageUpdated')).toHaveLength(writersWithKey * 4)
})

test('the positions in the event log have no gaps', async () => {
  const world = await makeWorld(service)
  const { db } = world.operator
  await say(world.as(world.ada.id), [world.publicGroup.id], 'one', 'S')
  await sequenceEvents(db)
  await say(world.as(world.ada.id), [world.publicGroup.id], 'two', 'S')
  await sequenceEvents(db)
  const batches = await db.eventBatch.findMany({
    where: { workspaceID: world.workspaceID },
    orderBy: { lastPosition: 'asc' },
  })
  let before = 0
  for (const { lastPosition, types } of batches) {
    expect(Number(lastPosition)).toBe(before + types.length)
    before = Number(lastPosition)
  }
  expect(await db.eventHead.findUnique({ where: { workspaceID: world.workspaceID } })).toMatchObject({
    position: BigInt(before),
  })
})

test('docs/outbound-webhooks.md lists every type with its form in a body', () => {
  const page = readFileSync(join(repository, 'docs/outbound-webhooks.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(\w+\.\w+)` \|$/gm)].map(([, name, type]) => ({
    name,
    type,
  }))
  expect(rows).toEqual(eventTypes.map((type) => ({ name: typeName(type), type })))
})
