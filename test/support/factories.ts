import { createHash } from 'node:crypto'
import { createApp } from '../../src/apps/create-app.ts'
import { createWebhook } from '../../src/apps/webhooks/create-webhook.ts'
import type { Context, UserActor } from '../../src/context.ts'
import { createGroup } from '../../src/groups/create-group.ts'
import { generalGroupID } from '../../src/groups/general-group-id.ts'
import { addMembers } from '../../src/groups/members/add-members.ts'
import { sendMessage } from '../../src/messages/send/send-message.ts'
import { newID } from '../../src/platform/ids.ts'
import { type Scope, scopes } from '../../src/scopes.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { insertCopy, readRows } from './row-copies.ts'
import type { Service } from './service.ts'

export const redirectURI = 'https://app.example.com/callback'

type Rows = Awaited<ReturnType<typeof createWorldRows>>

/** A workspace with an app and a webhook. Ada and Grace are in the public group, and Ada is in the private group. */
export type World = Awaited<ReturnType<typeof makeWorld>>

let original: Awaited<ReturnType<typeof readWorld>> | undefined

/**
 * Creates a world. The verbs create one world for each worker. All worlds are copies of its rows, because a copy takes a
 * tenth of the time, and its log is empty even if the service has read the log of the original.
 */
export async function makeWorld(service: Service, appScopes: readonly Scope[] = scopes) {
  const operator = service.contextOf({ kind: 'operator' })
  const as = (userID: string): Context => service.contextOf(actorOf(world.workspaceID, userID))
  const world = appScopes === scopes ? await copyWorld(service) : await createWorldRows(service, appScopes)
  return { operator, as, ...world }
}

async function copyWorld(service: Service): Promise<Rows> {
  const { db } = service.contextOf({ kind: 'operator' })
  original ??= await readWorld(service)
  const { rows, world, secrets } = original
  const replace = await insertCopy(db, rows, secrets)
  const isDate = (key: string, value: unknown) => key.endsWith('At') && value !== null
  const copy: Rows = JSON.parse(replace(world), (key, value) =>
    isDate(key, value) ? new Date(value) : value,
  )
  const path = copy.webhook.url.slice(copy.webhook.url.indexOf('/webhook/'))
  const url = `${service.config.webhookBaseURL}${path}`
  return { ...copy, webhook: { ...copy.webhook, url, path: new URL(url).pathname } }
}

async function readWorld(service: Service) {
  const world = await createWorldRows(service, scopes)
  const secrets = [world.app.clientSecret, world.app.token, world.webhook.path.split('/').at(-1) ?? '']
  const rows = await readRows(service.contextOf({ kind: 'operator' }).db, world.workspaceID)
  return { rows, world: JSON.stringify(world), secrets }
}

async function createWorldRows(service: Service, appScopes: readonly Scope[]) {
  const operator = service.contextOf({ kind: 'operator' })
  const workspace = await createWorkspace(operator, { name: 'Workshop' })
  const workspaceID = workspace.id
  const ada = await createPerson(operator, { workspaceID, name: 'Ada' })
  const grace = await createPerson(operator, { workspaceID, name: 'Grace' })
  const publicGroup = await createGroup(operator, { workspaceID, name: 'Builds', description: 'What broke' })
  const privateGroup = await createGroup(operator, { workspaceID, name: 'Leads', isPrivate: true })
  await addMembers(operator, { groupID: publicGroup.id, userIDs: [ada.id, grace.id] })
  await addMembers(operator, { groupID: privateGroup.id, userIDs: [ada.id] })
  const webhook = await makeWebhook(operator, workspaceID, 'Alerts')
  const app = await makeApp(service, operator, workspaceID, appScopes)
  const general = generalGroupID(workspaceID)
  return {
    workspace,
    workspaceID,
    generalGroupID: general,
    ada,
    grace,
    publicGroup,
    privateGroup,
    webhook,
    app,
  }
}

/** Creates a webhook. `path` is the path of its URL. */
export async function makeWebhook(operator: Context, workspaceID: string, name = newID('wbh')) {
  const { webhook, url } = await createWebhook(operator, { workspaceID, name })
  return { id: webhook.id, userID: webhook.userID, path: new URL(url).pathname, url }
}

/** Creates an installed app, and requests an access token for it. */
export async function makeApp(
  service: Service,
  operator: Context,
  workspaceID: string,
  appScopes: readonly Scope[] = scopes,
) {
  const { app, installation, ...secret } = await createApp(operator, {
    workspaceID,
    name: 'Robot',
    redirectURIs: [redirectURI],
    scopes: [...appScopes],
  })
  const clientSecret = secret.clientSecret ?? ''
  const form = tokenForm({ workspaceID, clientID: app.id, clientSecret })
  const answer = await requestToken(service, form)
  return {
    id: app.id,
    clientSecret,
    userID: installation.userID,
    token: answer.json().access_token as string,
    form,
  }
}

export function tokenForm(of: {
  workspaceID: string
  clientID: string
  clientSecret: string
}): Record<string, string> {
  return {
    grant_type: 'client_credentials',
    subject: of.workspaceID,
    redirect_uri: redirectURI,
    client_id: of.clientID,
    client_secret: of.clientSecret,
  }
}

export function requestToken(
  service: Service,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return service.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
}

export function postToWebhook(service: Service, path: string, payload: object | string, headers = {}) {
  return service.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
}

/** Uploads bytes to a webhook. By default, the headers are valid. An undefined header is not sent. */
export function uploadToWebhook(service: Service, path: string, bytes: Buffer | string, headers = {}) {
  return service.app.inject({
    method: 'PUT',
    url: `${path}/attachment`,
    headers: present({
      'content-length': String(Buffer.byteLength(bytes)),
      'content-md5': createHash('md5').update(bytes).digest('base64'),
      'x-file-name': 'report.txt',
      ...headers,
    }),
    payload: bytes,
  })
}

function present(headers: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

export function actorOf(workspaceID: string, userID: string): UserActor {
  return { kind: 'user', workspaceID, userID, scopes: new Set(scopes) }
}

/** Sends a message to the thread with this ID, or to these recipients. */
export async function say(ctx: Context, to: string | string[], text: string, subject?: string) {
  const where = typeof to === 'string' ? { threadID: to } : { thread: { recipients: to, subject } }
  const { threadID, messageID } = await sendMessage(ctx, { ...where, message: { text } })
  return { thread: { id: threadID }, message: { id: messageID } }
}
