import { type GraphQLNamedType, getNamedType, isNonNullType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../src/apps/create-app.ts'
import { disableWebhook, rotateWebhookKey } from '../../src/apps/webhooks/change-webhook.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import type { Context } from '../../src/context.ts'
import { sendTestEvent } from '../../src/feeds/deliveries/send-test-event.ts'
import { createEventEndpoint } from '../../src/feeds/endpoints/create-endpoint.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateMember } from '../../src/groups/members/update-member.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { pressButton } from '../../src/messages/buttons/press-button.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { editMessage } from '../../src/messages/edit-message.ts'
import { addReaction } from '../../src/messages/reactions/react.ts'
import { markRead } from '../../src/messages/reads/mark-read.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { newID, type Prefix, prefixOf } from '../../src/platform/ids.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { deletePerson } from '../../src/workspaces/users/delete-user.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { sameOrigin } from '../support/browser-session.ts'
import {
  makeApp,
  makeWorld,
  postToWebhook,
  redirectURI,
  say,
  uploadToWebhook,
  type World,
} from '../support/factories.ts'
import { pngOf } from '../support/images.ts'
import { leaksOf } from '../support/leaks.ts'
import { places } from '../support/operations.ts'
import { giveRole } from '../support/roles.ts'
import {
  fieldsOf,
  objectType,
  operatorTypes,
  schema,
  selectionOf,
  selectionsOf,
} from '../support/selections.ts'
import { codesOf, type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'
import { subscribed } from '../support/subscribed.ts'
import { uploadByTicket } from '../support/uploads.ts'

const service = await startService()
let url = ''
beforeAll(async () => {
  // Creates the first world before the log starts. Otherwise the log of this world would not start empty.
  await makeWorld(service)
  service.app.eventLog.start()
  url = `${await service.app.listen({ port: 0 })}/public/graphql`
})
const queryType = objectType('Query')
const subscriptionType = objectType('Subscription')
/**
 * Only a session of a person, an admin, or a caller who manages a webhook, can read these fields. Other tests read them,
 * such as personal-access-tokens.test.ts, invitations.test.ts and calls.test.ts.
 */
const isPersonal = (name: string) =>
  /^(WebhookCall|WebhookTemplate|PersonalAccessToken|Session|Grant|ViewerWorkspace|Invitation)/.test(name) ||
  /^Viewer\.(personalAccessTokens|sessions|hasPassword|grants|workspaces)$/.test(name)
/** Each name and text of the populated world contains one of these words. Only some callers can see `secret`. */
const known = 'Quagga'
const secret = 'Hushed'

describe('every field of every type has a value for', () => {
  test('a member', async () => {
    const world = await populate()
    const { token, userID } = world.app
    const answered = new Set<string>()
    for (const id of [...world.everyones, ...world.members, `${world.ada.id}-${userID}`]) {
      const answer = await askNode(asking(token), id, world.privateGroup.id)
      expect(answer).toMatchObject({ data: { node: { id } } })
      expect(answer).not.toHaveProperty('errors')
      collect(answer.data, answered)
    }
    for (const answer of await askRoots(asking(token), 1, world.everyones)) {
      expect(answer).not.toHaveProperty('errors')
      collect(answer.data, answered)
    }
    const sent = await service.graphql(token, sendMutation, {
      input: { threadID: firstOf(world.members, 'thr'), message: { text: known } },
    })
    collect(sent.data, answered)
    const thread = { recipients: [world.ada.id], subject: 'S', threadBy: 'key' }
    const started = await service.graphql(token, sendMutation, {
      input: { thread, message: { text: 'x', uniqueBy: 'key' } },
    })
    collect(started.data, answered)
    const announced = await service.graphql(token, ticketMutation, { input: announcement })
    collect(announced.data, answered)
    for (const answer of await followAll(bearer(token), world, world.begin)) {
      expect(answer).not.toHaveProperty('errors')
      collect({ __typename: 'Subscription', ...answer.data }, answered)
    }
    expect(
      missing(answered, (name) => !operatorTypes.includes(name) && !name.startsWith('Audit')).filter(
        (name) => !isPersonal(name),
      ),
    ).toEqual([
      // Only callers who manage the app or webhook receive these events.
      'Event.app',
      'Event.webhook',
      'UploadTicket.formData',
      'UploadFormField.name',
      'UploadFormField.value',
      // Only callers who manage an app or a webhook see its endpoints.
      'Query.deliveries',
      'Query.eventEndpoint',
      // Only people press buttons. The walk ends above the presses, which test/messages/buttons.test.ts reads.
      'MessageButton.viewerPressedAt',
      'ButtonPress.user',
      'ButtonPress.pressedAt',
      'ButtonPressEdge.node',
      'ButtonPressConnection.nodes',
      // Only callers who manage an app or a webhook see it as the origin of a message.
      'MessageOrigin.app',
      'MessageOrigin.webhook',
      // No message mentions an app user.
      'MentionConnection.edges',
      'MentionConnection.nodes',
      'MentionEdge.cursor',
      'MentionEdge.node',
      // An app user has no permissions and no pins.
      'Viewer.permissions',
      'Viewer.pins',
      // Only admins see who has signed in, who is invited, and the audit log.
      'User.isInvited',
      'Workspace.auditEntries',
      'Workspace.invitations',
    ])
  })

  test('an admin, in the audit log', async () => {
    const world = await populate()
    const { ask } = await callerOf(world, 'admin')
    const selection = selectionOf(objectType('AuditEntryConnection'), 2)
    const query = `query ($id: ID!) { workspace(id: $id) { __typename auditEntries(first: 100) { ${selection} } } }`
    const answer = await ask(query, { id: world.workspaceID })
    expect(answer).not.toHaveProperty('errors')
    const answered = new Set<string>()
    collect(answer.data, answered)
    // Nobody has acted by a program.
    expect(missing(answered, (name) => name.startsWith('Audit'))).toEqual(['AuditActor.programID'])
  })

  test('an admin, in the events of apps and webhooks', async () => {
    const { ask } = await callerOf(await populate(), 'admin')
    const answered = new Set<string>()
    for (const query of rootQueries(1, ['events'])) {
      const answer = await ask(query)
      expect(answer).not.toHaveProperty('errors')
      expect(answer.data.events.pageInfo).toMatchObject({ hasNextPage: false })
      collect(answer.data, answered)
    }
    expect([...answered]).toEqual(expect.arrayContaining(['Event.app', 'Event.webhook']))
  })

  test('the operator, in the types that the operator administers', async () => {
    const world = await populate()
    const { operator, workspaceID, generalGroupID, ada } = world
    await service.app.webhookCalls.flush()
    await giveRole(operator, { workspaceID, groupID: generalGroupID, userID: ada.id, role: 'admin' })
    const admin = world.as(ada.id)
    const { webhook: off } = await createWebhook(admin, {
      workspaceID,
      name: 'Off',
      description: 'Tried',
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      defaultTarget: generalGroupID,
      allowedTargets: [generalGroupID],
      format: 'json',
      restDays: 7,
      templates: { text: '{{ text }}' },
    })
    await rotateWebhookKey(admin, { webhookID: off.id, overlapHours: 1 })
    await disableWebhook(admin, { webhookID: off.id })
    const { app } = await createApp(admin, {
      workspaceID,
      name: 'Bot',
      description: 'Helps',
      redirectURIs: [redirectURI],
    })
    const answered = new Set<string>()
    const { endpointIDs, deliveryID } = await makeEndpoints(world, admin, off.id)
    const operated = [workspaceID, app.id, world.app.id, off.id, `${world.app.id}-${workspaceID}`]
    for (const id of [...operated, ...endpointIDs, deliveryID]) {
      for (const query of operatorNodeQueries) {
        const answer = await service.graphql(operatorToken, query, { id, groupID: world.privateGroup.id })
        expect(answer).toMatchObject({ data: { node: { id } } })
        expect(answer).not.toHaveProperty('errors')
        collect(answer.data, answered)
      }
    }
    const pages = `query ($id: ID!) { deliveries(endpointID: $id) {
      ${selectionOf(objectType('EventDeliveryConnection'), 2, true)} } }`
    collect((await service.graphql(operatorToken, pages, { id: endpointIDs[0] })).data, answered)
    const deletion = `mutation ($appID: ID!, $webhookID: ID!) {
      deleteApp(input: { appID: $appID }) { app { ${selectionOf(objectType('App'), 0)} } }
      deleteWebhook(input: { webhookID: $webhookID }) { webhook { ${selectionOf(objectType('Webhook'), 0)} } }
    }`
    const deleted = await service.graphql(operatorToken, deletion, { appID: world.app.id, webhookID: off.id })
    collect(deleted.data, answered)
    // The operator receives no events, and sees no threads. The link to a picture is for a user.
    expect(missing(answered, (name) => operatorTypes.includes(name)).sort()).toEqual([
      'App.avatarURL',
      'EventDelivery.event',
      'EventDelivery.thread',
    ])
    expect(answered).toContain('User.email')
  })
})

/** Creates endpoints of the app and of a webhook with a value in every field, and a delivery with an attempt. */
async function makeEndpoints(world: World, admin: Context, webhookID: string) {
  const { db } = admin
  const values = { url: 'https://receiver.example.com', types: ['message.created' as const] }
  const own = { appID: world.app.id, groupID: world.publicGroup.id, ...values }
  const { eventEndpoint } = await createEventEndpoint(admin, own)
  const ofWebhook = await createEventEndpoint(admin, { webhookID, ...values })
  const { id: endpointID, workspaceID, secret } = eventEndpoint
  const failing = { failingSince: new Date(), previousSecret: secret, previousSecretEndsAt: new Date() }
  await db.eventEndpoint.update({ where: { workspaceID_id: { workspaceID, id: endpointID } }, data: failing })
  const { id: deliveryID } = await sendTestEvent(admin, { endpointID })
  await db.eventDelivery.update({
    where: { workspaceID_id: { workspaceID, id: deliveryID } },
    data: { threadID: newID('thr'), type: 'message.created' },
  })
  const attempt = { status: 500, error: 'Broken', response: 'Broken' }
  await db.eventAttempt.create({
    data: { workspaceID, deliveryID, number: 1, startedAt: new Date(), durationMs: 1, ...attempt },
  })
  return { endpointIDs: [endpointID, ofWebhook.eventEndpoint.id], deliveryID }
}

/** A caller of a workspace: its function to send queries, its user, and the headers with which it subscribes. */
type Caller = { ask: Ask; userID: string; headers: Record<string, string> }

/** Returns a new caller of a workspace. The General group is the only group of the caller. */
async function callerOf(world: World, kind: 'app' | 'person' | 'admin'): Promise<Caller> {
  if (kind !== 'app') {
    const { id, ask, cookie } = await signedIn(service, world, kind === 'admin' ? 'admin' : 'member')
    return { ask, userID: id, headers: { cookie, 'skein-workspace': world.workspaceID, ...sameOrigin } }
  }
  const { token, userID } = await makeApp(service, world.operator, world.workspaceID)
  return { ask: asking(token), userID, headers: bearer(token) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const asking =
  (token: string): Ask =>
  (query, variables) =>
    service.graphql(token, query, variables)

const callers = [['app'], ['person'], ['admin']] as const

describe.each(callers)('a stranger from another workspace, as %s,', (kind) => {
  test('gets nothing by ID, from any query', async () => {
    const world = await populate()
    const stranger = await makeWorld(service)
    const { ask } = await callerOf(stranger, kind)
    const ids = await idsOf(world)
    expect(ids.length).toBeGreaterThan(20)
    for (const id of ids) {
      const answer = await ask(lookUps, { id, ownID: stranger.workspaceID })
      expect([id, answer.data]).toEqual([id, nothing])
      expect(codesOf(answer)).toEqual(Array(7).fill('NOT_FOUND'))
    }
    const answer = await ask(nodesQuery, { ids: ids.slice(0, 100) })
    expect(answer).toEqual({ data: { nodes: ids.slice(0, 100).map(() => null) } })
  })

  test('gets the same answer for a hidden ID as for an ID that does not exist', async () => {
    const world = await populate()
    const stranger = await makeWorld(service)
    const { ask } = await callerOf(stranger, kind)
    const { workspaceID: ownID } = stranger
    for (const prefix of ['wks', 'usr', 'grp', 'thr', 'msg', 'fil', 'app', 'wbh'] as const) {
      const there = await ask(lookUps, { id: firstOf(await idsOf(world), prefix), ownID })
      const nowhere = await ask(lookUps, { id: newID(prefix), ownID })
      expect(comparable(there)).toEqual(comparable(nowhere))
    }
  })

  test('cannot subscribe to anything by ID', async () => {
    const world = await populate()
    const { headers } = await callerOf(await makeWorld(service), kind)
    await expectRefusals(headers, await idsOf(world))
  })

  test('has no edge with the users, and cannot read the edges between them', async () => {
    const world = await populate()
    const { ask, userID } = await callerOf(await makeWorld(service), kind)
    for (const id of [`${world.ada.id}-${userID}`, `${userID}-${world.ada.id}`]) {
      expect(await askNode(ask, id)).toEqual({ data: { node: null } })
    }
    const others = await askNode(ask, `${world.ada.id}-${world.grace.id}`)
    expect([others.data, codesOf(others)]).toEqual([{ node: null }, ['FORBIDDEN']])
  })

  test('learns no ID and no name from any answer', async () => {
    const stranger = await makeWorld(service)
    const begin = await cursorOf(stranger)
    const world = await populate()
    const { ask, headers } = await callerOf(stranger, kind)
    const ids = await idsOf(world)
    const { thread, message } = await say(stranger.as(stranger.ada.id), [stranger.publicGroup.id], 'own')
    const own = [stranger.workspaceID, stranger.ada.id, stranger.publicGroup.id, thread.id, message.id]
    const answers = await askRoots(ask, 2, own)
    for (const id of own) answers.push(await askNode(ask, id, stranger.publicGroup.id))
    answers.push(...(await followAll(headers, stranger, begin)))
    for (const answer of answers) expect(answer).not.toHaveProperty('errors')
    for (const id of ids) {
      answers.push(await ask(lookUps, { id, ownID: stranger.workspaceID }))
    }
    for (const input of sendings(ids)) {
      const answer = await ask(sendMutation, { input })
      expect(answer.data).toEqual({ sendMessage: null })
      answers.push(answer)
    }
    expect(leaksOf(answers, [...ids, known])).toEqual([])
  })
})

/** Returns the IDs that a new caller of the workspace cannot see. */
function hiddenFrom(
  kind: (typeof callers)[number][0],
  { members, others, managed }: Awaited<ReturnType<typeof populate>>,
): string[] {
  return [...members, ...others, ...(kind === 'admin' ? [] : managed)]
}

describe.each(callers)('in the same workspace without access, the caller, as %s,', (kind) => {
  test('gets nothing by ID from private groups, their threads, or threads between others', async () => {
    const world = await populate()
    const { ask } = await callerOf(world, kind)
    for (const id of hiddenFrom(kind, world)) {
      const answer = await ask(lookUps, { id, ownID: world.workspaceID })
      expect([id, answer.data]).toEqual([id, nothing])
      const nowhere = await ask(lookUps, {
        id: newID(prefixOf(id) ?? 'thr'),
        ownID: world.workspaceID,
      })
      expect(comparable(answer)).toEqual(comparable(nowhere))
    }
  })

  test('cannot subscribe to private groups, their threads, or threads between others', async () => {
    const world = await populate()
    const { headers } = await callerOf(world, kind)
    await expectRefusals(headers, hiddenFrom(kind, world))
  })

  test('learns no ID and no name of a hidden object from the objects that it can see', async () => {
    const world = await populate()
    const { ask, headers } = await callerOf(world, kind)
    const answers = await askRoots(ask, 2, world.everyones)
    for (const id of world.everyones) answers.push(await askNode(ask, id, world.publicGroup.id))
    answers.push(...(await followAll(headers, world, world.begin)))
    for (const answer of answers) expect(answer).not.toHaveProperty('errors')
    expect(JSON.stringify(answers)).toContain(known)
    expect(leaksOf(answers, [...hiddenFrom(kind, world), secret])).toEqual([])
  })
})

/** Creates a world with a value in every field. Each name says who can see the object. */
async function populate() {
  const world = await makeWorld(service)
  const { operator, workspaceID, ada, grace, publicGroup, privateGroup, webhook, app, as } = world
  const begin = await cursorOf(world)
  await updateWorkspace(operator, {
    workspaceID,
    name: `${known} Works`,
    emailDomain: `${known}.example`,
    avatarURL: `https://${known}.example/picture.png`,
  })
  await updatePerson(operator, {
    userID: ada.id,
    name: `${known} Ada`,
    email: `ada@${known}.example`,
  })
  await updatePerson(operator, { userID: grace.id, name: `${known} Grace` })
  await updateGroup(operator, { groupID: publicGroup.id, name: `${known} Builds` })
  await updateGroup(operator, {
    groupID: privateGroup.id,
    name: `${secret} Leads`,
    description: `${secret} plans`,
  })
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [app.userID, webhook.userID] })
  await updateMember(operator, { groupID: publicGroup.id, userID: grace.id, role: 'admin' })
  const bot = await createApp(operator, {
    workspaceID,
    name: `${known} Bot`,
    description: `${known} helps`,
    redirectURIs: [redirectURI],
  })
  const hook = await createWebhook(operator, { workspaceID, name: `${known} Hook` })
  const gone = await createPerson(operator, { workspaceID, name: `${known} Gone` })
  await deletePerson(operator, { userID: gone.id })

  const open = await post(world, { target: publicGroup.id, uniqueBy: 'status' }, known)
  const reopened = await post(world, { target: publicGroup.id, uniqueBy: 'status' }, known)
  const closed = await post(world, { target: privateGroup.id, threadSubject: `${secret} matter` }, secret)
  const mixed = await say(
    as(ada.id),
    [publicGroup.id, privateGroup.id],
    `${known} to both`,
    `${known} matter`,
  )
  const dm = await say(as(ada.id), [app.userID], `${secret} to the app`)
  const chat = await say(as(ada.id), [privateGroup.id], `${secret} in the chat`)
  const among = await say(as(ada.id), [grace.id], `${secret} between two`)
  const pair = await say(as(ada.id), [grace.id], `${secret} between two`, `${secret} subject`)

  const { id: avatarFileID } = await uploadByTicket(service, app.token, pngOf(64, 64), `${known}.png`)
  await operator.db.user.updateMany({ where: { workspaceID, id: webhook.userID }, data: { avatarFileID } })
  await operator.db.app.updateMany({ where: { workspaceID }, data: { avatarFileID } })
  const robot = as(app.userID)
  const said = await say(robot, [publicGroup.id], `${known} by the app`)
  const erased = await say(robot, [publicGroup.id], `${known} no more`)
  await deleteMessage(robot, { messageID: erased.message.id })
  await addReaction(robot, { messageID: said.message.id, emoji: '👍' })
  const buttons = [
    { id: 'x', label: known, confirm: known },
    { label: known, url: `https://${known}.example` },
  ]
  await editMessage(robot, { messageID: said.message.id, buttons })
  const press = { messageID: said.message.id, buttonID: 'x', buttonsRevision: 1, clientKey: known }
  await pressButton(as(ada.id), press)
  const started = await sendMessage(robot, {
    thread: { recipients: [publicGroup.id], subject: `${known} start`, fromMessageID: said.message.id },
    message: { text: known, version: 1, state: 'ok', senderName: known },
  })
  const { threadID } = started
  await updateThread(robot, { threadID, subject: `${known} turn`, closed: true })
  await addRecipients(robot, { threadID, recipientIDs: [ada.id, privateGroup.id] })
  const told = await operator.db.message.findMany({ where: { workspaceID, threadID, position: { gt: 1 } } })
  await markRead(robot, { threadID: mixed.thread.id })

  const everyones = [workspaceID, ada.id, grace.id, gone.id, app.userID, webhook.userID, publicGroup.id]
  everyones.push(mixed.thread.id, mixed.message.id, open.threadID, open.messageID, reopened.fileID)
  everyones.push(said.message.id, erased.message.id, threadID, started.messageID, ...told.map(({ id }) => id))
  const members = [privateGroup.id, closed.threadID, closed.messageID, closed.fileID]
  members.push(dm.thread.id, dm.message.id, chat.thread.id, chat.message.id)
  const others = [among.thread.id, among.message.id, pair.thread.id, pair.message.id]
  const { eventEndpoint } = await createEventEndpoint(operator, {
    appID: app.id,
    url: 'https://receiver.example.com',
  })
  await sendTestEvent(operator, { endpointID: eventEndpoint.id })
  const managed = [bot.app.id, hook.webhook.id]
  return { ...world, begin, everyones, members, others, managed }
}

/** The header of an image of 3 by 2 pixels. */
const smallPNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208060000009d745619', 'hex')

/** Posts a message with a file through the webhook. */
async function post({ webhook }: World, body: object, word: string) {
  const image = Buffer.concat([smallPNG, Buffer.from(word)])
  const upload = await uploadToWebhook(service, webhook.path, image, { 'x-file-name': `${word}.png` })
  const fileID: string = upload.json().id
  const answer = await postToWebhook(service, webhook.path, {
    ...body,
    text: `${word}!`,
    attachments: [fileID],
  })
  const { messageID, threadID } = answer.json() as { messageID: string; threadID: string }
  return { messageID, threadID, fileID }
}

/** Returns the IDs of everything that an app can look up in a workspace. */
async function idsOf({ operator, workspaceID }: World): Promise<string[]> {
  const rows = await operator.db.$queryRaw<{ id: string }[]>`
    SELECT id FROM workspaces WHERE id = ${workspaceID}
    UNION SELECT id FROM users WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM groups WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM threads WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM messages WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM files WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM apps WHERE workspace_id = ${workspaceID}
    UNION SELECT app_id || '-' || workspace_id FROM installations WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM webhooks WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM event_endpoints WHERE workspace_id = ${workspaceID}
    UNION SELECT id FROM event_deliveries WHERE workspace_id = ${workspaceID}`
  return rows.map(({ id }) => id)
}

async function cursorOf({ app }: World): Promise<string> {
  return (await service.graphql(app.token, '{ latestEventCursor }')).data.latestEventCursor
}

/** Creates a thread that everyone can see. Then follows each field of Subscription from a cursor to this thread. */
async function followAll(
  headers: Caller['headers'],
  { as, ada, publicGroup, generalGroupID }: World,
  after: string,
): Promise<GraphQLAnswer[]> {
  // Everyone is in the General group. Therefore the thread concerns every person.
  const { thread } = await say(as(ada.id), [publicGroup.id, generalGroupID], 'last', 'Last')
  service.app.eventLog.wake()
  const variables = { after, threadID: thread.id, groupID: publicGroup.id }
  const isLast = ({ data }: GraphQLAnswer) =>
    Object.values<{ threadID?: string } | null>(data ?? {}).some((value) => value?.threadID === thread.id)
  const followed: GraphQLAnswer[] = []
  for (const query of subscriptions(1)) {
    const answers = await subscribed(url, headers, { query, variables }, isLast)
    expect(answers.filter(isLast)).toHaveLength(1)
    followed.push(...answers)
  }
  return followed
}

/** Expects that no subscription accepts one of the IDs, and that each is refused like an ID that does not exist. */
async function expectRefusals(headers: Caller['headers'], ids: string[]): Promise<void> {
  expect(ids.length).toBeGreaterThan(5)
  const refused = (query: string, id: string) =>
    subscribed(url, headers, { query, variables: { id } }, () => true)
  for (const query of followByID) {
    for (const id of ids) {
      const answers = await refused(query, id)
      expect([id, answers.map(codesOf)]).toEqual([id, [['NOT_FOUND']]])
      const nowhere = await refused(query, newID(prefixOf(id) ?? 'thr'))
      expect(answers.map(comparable)).toEqual(nowhere.map(comparable))
    }
  }
}

/** Returns inputs for sending messages to the threads, users, groups and workspaces among the IDs. */
function sendings(ids: string[]): object[] {
  const message = { text: 'x' }
  return ids.flatMap((id): object[] => {
    if (prefixOf(id) === 'thr') return [{ threadID: id, message }]
    if (!['usr', 'grp', 'wks'].includes(prefixOf(id) ?? '')) return []
    return [
      { thread: { recipients: [id] }, message },
      { thread: { recipients: [id], subject: 'S' }, message },
    ]
  })
}

/** Returns the answer without what differs between requests: the request ID and the order of errors. */
function comparable({ data, errors = [] }: GraphQLAnswer): unknown {
  const plain = errors.map(({ message, path, extensions }) => `${path} ${extensions.code} ${message}`)
  return { data, errors: plain.sort() }
}

function firstOf(ids: string[], prefix: Prefix): string | undefined {
  return ids.find((id) => prefixOf(id) === prefix)
}

/** Adds the fields that have a value to `answered`, as `Type.field`. */
function collect(value: unknown, answered: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const typename = Reflect.get(value, '__typename') ?? 'Query'
  for (const [key, child] of Object.entries(value)) {
    if (child === null || (Array.isArray(child) && child.length === 0)) continue
    // Fragments on one of several types have aliases.
    if (!Array.isArray(value)) answered.add(`${typename}.${key.replace(`${typename}_`, '')}`)
    collect(child, answered)
  }
}

/** Returns the fields without a value so far, in the types that `concerns` selects. Leaves out the operator's fields. */
function missing(answered: Set<string>, concerns: (typeName: string) => boolean): string[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType)
  const walked = types.filter(({ name }) => {
    if (name.startsWith('__') || name === 'Mutation') return false
    return concerns(name) && (name === 'SendMessagePayload' || !name.endsWith('Payload'))
  })
  const fields = walked.flatMap((type) => fieldsOf(type).map((field) => `${type.name}.${field.name}`))
  expect(fields.length).toBeGreaterThan(20)
  return fields.filter((field) => !answered.has(field))
}

/** Returns a query for each field of Query, with variables for its IDs or its search text. */
function rootQueries(levels: number, names?: string[]): string[] {
  const levelsOf = (name: string) => {
    if (name.startsWith('node')) return 0
    // An event is not a node. Therefore only this field shows the objects of an event.
    return name === 'events' ? Math.max(levels, 2) : levels
  }
  // `deliveries` is left out by default, because it needs the ID of an endpoint.
  const fields = fieldsOf(queryType).filter(({ name }) => names?.includes(name) ?? name !== 'deliveries')
  const queries = fields.flatMap((field) =>
    selectionsOf(getNamedType(field.type), levelsOf(field.name)).map(
      (selection) => [field, selection] as const,
    ),
  )
  return queries.map(([field, selection]) => {
    const arg = field.args.find(({ name }) => ['id', 'ids', 'query'].includes(name))
    const variables = selection.includes('$groupID') ? ['$groupID: ID!'] : []
    if (arg) variables.push(`$${field.name}_${arg.name}: ${arg.type}`)
    const given = arg ? `(${arg.name}: $${field.name}_${arg.name})` : ''
    const heading = variables.length > 0 ? `query (${variables.join(', ')})` : 'query'
    return `${heading} { ${field.name}${given} ${selection && `{ ${selection} }`} }`
  })
}

/** Returns the subscriptions to each field of Subscription, after a cursor. */
function subscriptions(levels: number): string[] {
  return fieldsOf(subscriptionType).flatMap(({ name, args, type }) => {
    const given = args.filter((arg) => arg.name === 'after' || isNonNullType(arg.type))
    return selectionsOf(getNamedType(type), levels).map((selection) => {
      const variables = given.map((arg) => `$${arg.name}: ${arg.type}`)
      if (selection.includes('$groupID')) variables.push('$groupID: ID!')
      const passed = given.map((arg) => `${arg.name}: $${arg.name}`)
      return `subscription (${variables}) { ${name}(${passed}) { threadID ${selection} } }`
    })
  })
}

function askNode(ask: Ask, id: string, groupID = ''): Promise<GraphQLAnswer> {
  return ask(nodeQuery, { id, groupID })
}

/** Sends a query for every field of Query. */
function askRoots(ask: Ask, levels: number, ids: string[]): Promise<GraphQLAnswer[]> {
  const variables = {
    groupID: firstOf(ids, 'grp'),
    node_id: ids[0],
    nodes_ids: ids.slice(0, 100),
    user_id: firstOf(ids, 'usr'),
    group_id: firstOf(ids, 'grp'),
    thread_id: firstOf(ids, 'thr'),
    eventEndpoint_id: newID('end'),
    workspace_id: firstOf(ids, 'wks'),
    searchMessages_query: `${known} OR ${secret}`,
  }
  return Promise.all(rootQueries(levels).map((query) => ask(query, variables)))
}

const node = schema.getType('Node') as GraphQLNamedType
const nodeQuery = `query ($id: ID!, $groupID: ID!) { node(id: $id) { ${selectionOf(node, 1)} } }`
const operated = ['Workspace', 'App', 'Webhook', 'Installation', 'EventEndpoint', 'EventDelivery'].map(
  (name) => `... on ${name} { ${selectionOf(objectType(name), 2, true)} }`,
)
const operatorNodeQueries = operated.map((fragment) => {
  const heading = fragment.includes('$groupID') ? '$id: ID!, $groupID: ID!' : '$id: ID!'
  return `query (${heading}) { node(id: $id) { id __typename ${fragment} } }`
})
const nodesQuery = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
const lookUps = `query ($id: ID!, $ownID: ID!) {
  node(id: $id) { id } thread(id: $id) { id } group(id: $id) { id name } user(id: $id) { id name }
  workspace(id: $id) { id name } own: workspace(id: $ownID) { group(id: $id) { id name } }
  ofThread: events(threadID: $id) { nodes { id } } ofGroup: events(groupID: $id) { nodes { id } } }`
const followByID = places
  .filter(({ operation }) => operation.kind === 'subscription')
  .map(({ operation, path }) => `subscription ($id: ID!) { ${operation.name}(${path}: $id) { id } }`)
const nothing = {
  ...{ node: null, thread: null, group: null, user: null, workspace: null, own: { group: null } },
  ...{ ofThread: null, ofGroup: null },
}
const sendMutation = `mutation ($input: SendMessageInput!) {
  sendMessage(input: $input) { ${selectionOf(objectType('SendMessagePayload'), 1)} } }`
const ticketMutation = `mutation ($input: UploadTicketInput!) {
  uploadTicket(input: $input) { ${selectionOf(schema.getType('UploadTicketResponse') as GraphQLNamedType, 1)} } }`
const announcement = {
  name: 'new.txt',
  contentLength: '3',
  contentMD5: Buffer.alloc(16, 1).toString('base64'),
  contentType: 'text/plain',
}
