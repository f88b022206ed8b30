import { createSignInLink } from '../../src/accounts/links/sign-in-links.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import type { Context } from '../../src/context.ts'
import { sendTestEvent } from '../../src/feeds/deliveries/send-test-event.ts'
import { createEventEndpoint } from '../../src/feeds/endpoints/create-endpoint.ts'
import { copyFile } from '../../src/files/store-file.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { updateGroup } from '../../src/groups/update-group.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { addRecipients } from '../../src/messages/thread-changes/change-recipients.ts'
import { encodeContent } from '../../src/messages/webhook-calls/call-content.ts'
import { newID } from '../../src/platform/ids.ts'
import { findEncryptionKeys } from '../../src/platform/secrets/encryption-keys.ts'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { signIn } from './browser-session.ts'
import { makeClient, tokensFrom } from './consent.ts'
import { actorOf, makeWorld, redirectURI, say } from './factories.ts'
import { pngOf } from './images.ts'
import { mutation } from './mutations.ts'
import type { Noun } from './operations.ts'
import { giveRole } from './roles.ts'
import { insertCopy, readRows } from './row-copies.ts'
import type { Service } from './service.ts'
import { signedIn } from './signed-in.ts'
import { askForTicket, putBytes, uploadByTicket } from './uploads.ts'

/** IDs of objects, by their kinds. */
export type Objects = Partial<Record<Noun, string[]>>

/** A word in every text of a conversation or group that only insiders can see. */
export const secret = 'Hushed'
/** A word in every text of an app, a webhook or an endpoint that only its managers can see. */
export const managersSecret = 'Reserved'
/** The sample of `searchMessages` finds this text. */
const text = `${secret} x`
const email = 'ada@example.com'

export type HiddenObjects = Awaited<ReturnType<typeof makeHiddenObjects>>

/**
 * Creates a world with an object of each kind that its other members cannot see. The insider is the world's app: an admin
 * of the workspace and of the private group. `everyones` has a thread that everyone can see, with parts that only insiders can see.
 */
export async function makeHiddenObjects(service: Service) {
  const { operator, as, ...world } = await makeWorld(service)
  const { workspaceID, generalGroupID, publicGroup, privateGroup, ada, app: insider } = world
  await updateWorkspace(operator, { workspaceID, membersMayCreateApps: true, membersMayCreateWebhooks: true })
  const renamed = { name: `${secret} Leads`, description: `${secret} plans` }
  await updateGroup(operator, { groupID: privateGroup.id, ...renamed })
  for (const groupID of [generalGroupID, privateGroup.id])
    await giveRole(operator, { workspaceID, groupID, userID: insider.userID, role: 'admin' })
  const ctx = as(insider.userID)
  await operator.db.user.update({ where: { workspaceID_id: { workspaceID, id: ada.id } }, data: { email } })
  // The file could be a picture.
  const file = await uploadByTicket(service, insider.token, pngOf(64, 64), `${secret}.txt`)
  // The sample of `uploadTicket` announces a file of this size with this digest.
  const announced = { sizeBytes: 3n, md5: Buffer.alloc(16) }
  await operator.db.file.update({ where: { workspaceID_id: { workspaceID, id: file.id } }, data: announced })
  const inGroup = await sendMessage(ctx, {
    thread: { recipients: [privateGroup.id, ada.id], subject: `${secret} subject` },
    message: { text, attachments: [file.id], buttons: [{ id: 'x', label: text }] },
  })
  const toUser = await say(ctx, [ada.id], text, `${secret} subject`)
  const dm = await say(ctx, [ada.id], text)
  const shown = await sendMessage(ctx, {
    thread: { recipients: [publicGroup.id], subject: 'Shown', fromMessageID: inGroup.messageID },
    message: { text: 'Shown' },
  })
  await addRecipients(ctx, { threadID: shown.threadID, recipientIDs: [privateGroup.id] })
  const ticket = await askForTicket(service, insider.token, 'other bytes', { name: `${secret}.txt` })
  await putBytes(service, ticket, 'other bytes')
  const managed = await makeManaged(operator, workspaceID, managersSecret)
  const ofWebhook = { workspaceID, id: { in: managed.webhook ?? [] } }
  const { userID } = await operator.db.webhook.findFirstOrThrow({ where: ofWebhook })
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [userID] })
  const hidden: Objects = {
    group: [privateGroup.id],
    thread: [inGroup.threadID, toUser.thread.id, dm.thread.id],
    message: [inGroup.messageID, toUser.message.id, dm.message.id],
    file: [file.id],
    uploadTicket: [ticket.id],
    ...managed,
  }
  const everyones: Objects = {
    message: [shown.messageID],
    thread: [shown.threadID],
    user: [ada.id],
    workspace: [workspaceID],
  }
  return { ...world, insider, hidden, everyones }
}

/** Creates an app and a webhook of which the caller is the creator, and an endpoint with a delivery. */
async function makeManaged(ctx: Context, workspaceID: string, description: string): Promise<Objects> {
  const { app } = await createApp(ctx, {
    workspaceID,
    name: 'Bot',
    description,
    redirectURIs: [redirectURI],
    scopes: ['groups:read'],
  })
  const { webhook } = await createWebhook(ctx, { workspaceID, name: `Hook ${newID('evt')}`, description })
  const url = `https://receiver.example.com/${description}`
  const { eventEndpoint } = await createEventEndpoint(ctx, { appID: app.id, url })
  const delivery = await sendTestEvent(ctx, { endpointID: eventEndpoint.id })
  const call = await makeCall(ctx, { workspaceID, webhookID: webhook.id }, description)
  return {
    app: [app.id],
    webhook: [webhook.id],
    webhookCall: [call.id],
    endpoint: [eventEndpoint.id],
    delivery: [delivery.id],
  }
}

/** Stores an encrypted body for each call. It can be decrypted only with the ID of the call. */
async function giveContents(service: Service, { hidden, publicGroup: { id: targetID } }: HiddenObjects) {
  const { db } = service.contextOf({ kind: 'operator' })
  const sent = { query: '', contentType: 'application/json', body: '{}' }
  for (const id of hidden.webhookCall ?? []) {
    const content = Uint8Array.from(encodeContent(sent, id, findEncryptionKeys(service.config)) ?? [])
    await db.webhookCall.updateMany({ where: { id }, data: { content, targetID } })
  }
}

/** Creates the row of a call, which says that it was skipped for this reason. */
function makeCall({ db }: Context, of: { workspaceID: string; webhookID: string }, skipped: string) {
  const outcome = { created: 0, updated: 0, stale: 0, skipped, problems: [], ignored: [] }
  const lists = { messageIDs: [], threadIDs: [] }
  const request = { method: 'POST', status: 200, sizeBytes: 0, createdAt: new Date() }
  return db.webhookCall.create({ data: { ...of, id: newID('whc'), outcome, ...lists, ...request } })
}

/** Returns a function that creates copies of the objects. An insider can change or delete a copy. */
export async function copierOf(service: Service, objects: HiddenObjects) {
  const { db } = service.contextOf({ kind: 'operator' })
  const { workspaceID, insider } = objects
  const rows = await readRows(db, workspaceID)
  return async (): Promise<HiddenObjects> => {
    const replace = await insertCopy(db, rows, [insider.token])
    const copy: HiddenObjects = JSON.parse(replace(JSON.stringify(objects)))
    await giveContents(service, copy)
    const invitation = { email, workspaceID: copy.workspaceID, userID: copy.ada.id, provesEmail: false }
    await createSignInLink(db, invitation)
    return copy
  }
}

/**
 * Creates objects that belong to a user of the world. A private group of others is among the recipients of the thread.
 * Without an app, there are no objects that belong to apps.
 */
export async function makeOwnObjects(
  service: Service,
  { workspaceID, publicGroup, privateGroup, ada, insider, hidden }: HiddenObjects,
  { userID, hasApp }: { userID: string; hasApp: boolean },
): Promise<Objects> {
  const as = (id: string) => service.contextOf(actorOf(workspaceID, id))
  const ctx = as(userID)
  const group = await createGroup(ctx, { name: `Group of ${userID}` })
  const { thread, message } = await say(ctx, [publicGroup.id], 'Own', 'Own')
  await addRecipients(as(insider.userID), { threadID: thread.id, recipientIDs: [privateGroup.id] })
  const original = await ctx.db.file.findFirstOrThrow({
    where: { workspaceID, id: { in: hidden.file ?? [] } },
  })
  const file = await copyFile(ctx, original, { uploaderID: userID, name: 'own.txt' })
  return {
    group: [group.id],
    thread: [thread.id],
    message: [message.id],
    file: file ? [file.id] : [],
    user: [ada.id],
    workspace: [workspaceID],
    ...(hasApp && (await makeManaged(ctx, workspaceID, 'Own'))),
  }
}

/** Creates a person with a session, a grant and a personal access token. */
export async function makeCredentials(service: Service, { workspaceID, generalGroupID }: HiddenObjects) {
  const operator = service.contextOf({ kind: 'operator' })
  const { email, ask } = await signedIn(service, { operator, workspaceID, generalGroupID }, 'member')
  // Revoking credentials with this session must not end it.
  const cookie = await signIn(service, operator, email)
  const client = await makeClient({ operator, workspaceID })
  await tokensFrom(service, { cookie, workspaceID }, client, { act_as: 'user' })
  const token = { name: secret, scopes: ['groups:read'], expiresInDays: 1 }
  await ask(mutation('createPersonalAccessToken', 'accessToken'), { input: token })
  const { data } = await ask(`{ viewer {
    sessions { nodes { id isCurrent } } grants { nodes { id } } personalAccessTokens { nodes { id } } } }`)
  const { sessions, grants, personalAccessTokens } = data.viewer
  const idsOf = (list: { nodes: { id: string; isCurrent?: boolean }[] }) =>
    list.nodes.filter(({ isCurrent }) => !isCurrent).map(({ id }) => id)
  const own: Objects = {
    session: idsOf(sessions),
    grant: idsOf(grants),
    personalAccessToken: idsOf(personalAccessTokens),
  }
  return { ask, own }
}
