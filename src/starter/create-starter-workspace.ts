import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApp } from '../apps/create-app.ts'
import { createWebhook } from '../apps/webhooks/create-webhook.ts'
import { type Context, requireOperator, type UserActor } from '../context.ts'
import { inTransaction } from '../database/database.ts'
import { type AppError, conflict } from '../errors.ts'
import type { User, Workspace } from '../generated/prisma/client.ts'
import { createGroup } from '../groups/create-group.ts'
import { addMembers } from '../groups/members/add-members.ts'
import { updateMember } from '../groups/members/update-member.ts'
import { sendMessage } from '../messages/send/send-message.ts'
import type { Scope } from '../scopes.ts'
import { createWorkspace } from '../workspaces/create-workspace.ts'
import { createPerson } from '../workspaces/users/create-user.ts'

/** The content of starter.json. */
export type Starter = {
  baseURL: string
  workspaceID: string
  groupID: string
  privateGroupID: string
  userIDs: string[]
  appID: string
  clientID: string
  clientSecret: string
  redirectURI: string
  webhookURL: string
  operatorToken: string
}

// The scopes that the examples in the documentation and the explorer need.
const starterScopes: Scope[] = [
  'workspaces:read',
  'users.email:read',
  'groups:read',
  'groups:write',
  'threads:read',
  'threads:write',
  'threads.messages:write',
]
const redirectURI = 'http://localhost:8080/callback'

/** Creates the starter workspace in one transaction, and writes its IDs and secrets to `starter.json`. */
export async function createStarterWorkspace(ctx: Context): Promise<{ workspace: Workspace; path: string }> {
  requireOperator(ctx)
  const path = starterPath(ctx.config.dataDir)
  await setAsideStale(ctx, path)
  return inTransaction(ctx.db, async (tx) => {
    const created = await createAll({ ...ctx, db: tx })
    const { baseURL, operatorToken } = ctx.config
    // Writes the file before the commit, because the database keeps only hashes of the secrets.
    await writeStarter(path, { baseURL, ...created.starter, operatorToken })
    return { workspace: created.workspace, path }
  })
}

export function starterPath(dataDir: string): string {
  return join(dataDir, 'starter.json')
}

export function textOf(starter: Starter): string {
  return `${JSON.stringify(starter, null, 2)}\n`
}

async function createAll(ctx: Context) {
  const workspace = await createWorkspace(ctx, { name: 'Skein starter', emailDomain: 'example.com' })
  const workspaceID = workspace.id
  const ada = await createPerson(ctx, { workspaceID, name: 'Ada', email: 'ada@example.com' })
  const grace = await createPerson(ctx, { workspaceID, name: 'Grace', email: 'grace@example.com' })
  const linus = await createPerson(ctx, { workspaceID, name: 'Linus', email: 'linus@example.com' })
  // An admin of the General group is an admin of the workspace.
  await updateMember(ctx, { groupID: workspaceID, userID: ada.id, role: 'admin' })
  const builds = await createGroup(ctx, {
    workspaceID,
    name: 'Builds',
    description: 'Messages from the build pipelines.',
  })
  const leads = await createGroup(ctx, { workspaceID, name: 'Leads', isPrivate: true })
  await addMembers(ctx, { groupID: builds.id, userIDs: [ada.id, grace.id, linus.id] })
  await addMembers(ctx, { groupID: leads.id, userIDs: [ada.id, grace.id] })
  const { app, installation, clientSecret } = await createApp(ctx, {
    workspaceID,
    name: 'Starter app',
    redirectURIs: [redirectURI],
    scopes: starterScopes,
  })
  if (clientSecret === null) throw new Error('The starter app must have a secret.')
  const webhook = await createWebhook(ctx, {
    workspaceID,
    name: 'Starter webhook',
    description: 'Try it with curl.',
  })
  await sendMessages(ctx, {
    ada,
    grace,
    linus,
    appUserID: installation.userID,
    workspaceID,
    buildsID: builds.id,
  })
  const starter = {
    workspaceID,
    groupID: builds.id,
    privateGroupID: leads.id,
    userIDs: [ada.id, grace.id, linus.id],
    appID: app.id,
    clientID: app.id,
    clientSecret,
    redirectURI,
    webhookURL: webhook.url,
  }
  return { workspace, starter }
}

type StarterUsers = {
  ada: User
  grace: User
  linus: User
  appUserID: string
  workspaceID: string
  buildsID: string
}

async function sendMessages(ctx: Context, users: StarterUsers): Promise<void> {
  const { ada, grace, linus, appUserID, workspaceID, buildsID } = users
  const send = (author: User, recipients: string[], text: string, subject?: string) =>
    sendMessage({ ...ctx, actor: actorOf(author) }, { thread: { recipients, subject }, message: { text } })
  await send(ada, [workspaceID], 'Welcome to **Skein**. This is the chat of the General group.')
  await send(grace, [buildsID], 'Pipelines post here: see the webhook.')
  const { threadID } = await send(
    linus,
    [buildsID],
    'The nightly build has been red since Tuesday.',
    'Nightly build',
  )
  await sendMessage(
    { ...ctx, actor: actorOf(grace) },
    {
      threadID,
      message: { text: `[Linus](${ctx.config.mentionSchemes[0]}:${linus.id}), I am working on it.` },
    },
  )
  await send(ada, [appUserID], 'Only the app and I can read this DM.')
}

function actorOf({ workspaceID, id }: User): UserActor {
  return { kind: 'user', workspaceID, userID: id, scopes: new Set(['threads.messages:write']) }
}

// Only one of several concurrent calls writes the file, because `link` fails if the file exists.
async function writeStarter(path: string, starter: Starter): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, textOf(starter), { mode: 0o600 })
  try {
    await link(draft, path)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(path) : error
  } finally {
    await rm(draft)
  }
}

// Renames a file whose workspace is in another database.
async function setAsideStale({ db }: Context, path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const [, id = 'unknown'] = /"workspaceID": *"(wks_[0-9A-Za-z]{27})"/.exec(text) ?? []
  if (await db.workspace.findUnique({ where: { id } })) throw alreadyThere(path)
  await rename(path, path.replace(/\.json$/, `-${id}.json`))
}

function alreadyThere(path: string): AppError {
  return conflict('starter_exists', `A starter workspace already exists. Its IDs and secrets are in ${path}.`)
}
