import { findInstallation, installationID } from '../apps/installations/installation-access.ts'
import { findWebhook, managesAsCreator } from '../apps/webhooks/access.ts'
import { type Actor, type Context, holdsScope, type UserActor } from '../context.ts'
import { batcher } from '../database/batches/batcher.ts'
import { query } from '../database/query.ts'
import type { EventType } from '../events/event-types.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { workspaceRoleOf } from '../groups/workspace-admins.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'

const scopesByNoun: { [noun: string]: Scope } = {
  message: 'threads.messages:read',
  reaction: 'threads.messages:read',
  thread: 'threads:read',
  recipients: 'threads:read',
  group: 'groups:read',
  members: 'groups:read',
  member: 'groups:read',
  user: 'workspaces:read',
  app: 'apps:read',
  webhook: 'webhooks:read',
}

export function scopeFor(type: EventType): Scope {
  const scope = scopesByNoun[type.slice(0, type.indexOf('.'))]
  if (!scope) throw new Error(`No scope is known for events of the type ${type}`)
  return scope
}

/**
 * Returns whether the caller is allowed to receive an event. In general, the caller must be able to read the object
 * now. Users also receive the events of their own removal, and of the deletion of a webhook that they managed. An app
 * needs no scope to receive the events of its own installation and uninstallation.
 */
export async function canHear(ctx: Context<UserActor>, event: LoggedEvent): Promise<boolean> {
  const { type, objectID, threadID } = event
  const { actor } = ctx
  if (isOwnUninstallation(event, actor)) return true
  if (type === 'app.installed' && actor.appID === objectID) return true
  if (!holdsScope(actor, scopeFor(type))) return false
  if (threadID !== null) return (await seesThread(ctx, threadID)) || wasRemoved(ctx, event)
  if (type.startsWith('group') || type.startsWith('member'))
    return (await sees(ctx, 'visible_groups', objectID)) || wasRemoved(ctx, event)
  if (type.startsWith('user.')) return true
  if ((await workspaceRoleOf(ctx)) === 'admin') return true
  const { workspaceID } = actor
  if (type === 'app.installed')
    return (await findInstallation(ctx, installationID({ appID: objectID, workspaceID }))) !== null
  if (type === 'webhook.deleted') return managesAsCreator(ctx, objectID)
  return type !== 'app.uninstalled' && (await findWebhook(ctx, objectID)) !== null
}

/** Returns whether an event reports that the actor's own app was uninstalled. The actor's tokens have then ended. */
export function isOwnUninstallation({ type, details }: LoggedEvent, actor: Actor): boolean {
  return type === 'app.uninstalled' && actor.kind === 'user' && details?.userID === actor.userID
}

async function wasRemoved(ctx: Context<UserActor>, { type, details }: LoggedEvent): Promise<boolean> {
  const { userID } = ctx.actor
  if (type === 'members.removed') return details?.userIDs?.includes(userID) ?? false
  if (type !== 'recipients.removed') return false
  const ids = details?.recipientIDs ?? []
  if (ids.includes(userID)) return true
  const groupIDs = ids.filter((id) => prefixOf(id) === 'grp')
  return (await Promise.all(groupIDs.map((id) => sees(ctx, 'visible_groups', id)))).includes(true)
}

type View = 'visible_threads' | 'visible_groups'
type Call = { userID: string; id: string }

export function seesThread(ctx: Context<UserActor>, id: string): Promise<boolean> {
  return sees(ctx, 'visible_threads', id)
}

function sees({ db, actor: { workspaceID, userID } }: Context<UserActor>, view: View, id: string) {
  return look(db, `${view} ${workspaceID}`, { userID, id })
}

// One statement answers for all users of a workspace, because one event can concern thousands of subscribers.
const look = batcher<Call, boolean>({ running: 2, calls: 2000 }, async (db, calls, { key }) => {
  const [view = '', workspaceID = ''] = key.split(' ')
  const pairs = [...new Map(calls.map((call) => [pairOf(call), call])).values()]
  const seen = await query<Call>(
    db,
    Prisma.sql`
    SELECT pair.user_id AS "userID", pair.id
    FROM unnest(${pairs.map(({ userID }) => userID)}::text[], ${pairs.map(({ id }) => id)}::text[]) AS pair (user_id, id)
    WHERE EXISTS (
      SELECT FROM ${Prisma.raw(view)}
      WHERE viewer_id = pair.user_id AND workspace_id = ${workspaceID} AND id = pair.id OFFSET 0)`,
  )
  const known = new Set(seen.map(pairOf))
  return calls.map((call) => known.has(pairOf(call)))
})

function pairOf({ userID, id }: Call): string {
  return `${userID} ${id}`
}
