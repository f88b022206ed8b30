import { type Actor, type Context, requireScope } from '../context.ts'
import { selectLoader } from '../database/loader.ts'
import { rowsBy } from '../database/query.ts'
import { invalidField, notFound } from '../errors.ts'
import { type Group, Prisma } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { toGroupID } from './general-group-id.ts'
import { groupColumns } from './rows.ts'

/** Returns an item of a FROM clause, `g`: the groups that an actor can see. */
export function groupsVisibleTo(actor: Actor): Prisma.Sql {
  return actor.kind === 'operator'
    ? Prisma.sql`groups g`
    : Prisma.sql`(SELECT * FROM visible_groups WHERE viewer_id = ${actor.userID}) AS g`
}

function sourceFor(actor: Actor): { table: string; viewerID?: string } {
  return actor.kind === 'operator' ? { table: 'groups' } : { table: 'visible_groups', viewerID: actor.userID }
}

/** Returns the ID of the workspace of a request. A user can omit it, and the operator must give it. */
export function workspaceIDFor({ actor }: Context, workspaceID: string | null | undefined): string {
  if (actor.kind === 'user') {
    if (workspaceID != null && workspaceID !== actor.workspaceID) throw notFound('workspace')
    return actor.workspaceID
  }
  if (workspaceID == null)
    throw invalidField('workspaceID', 'is required with the operator token, which belongs to no workspace')
  return workspaceID
}

export async function workspaceIDOfGroup({ db, actor }: Context, groupID: string): Promise<string> {
  if (actor.kind === 'user') return actor.workspaceID
  const group = await db.group.findFirst({ where: { id: groupID }, select: { workspaceID: true } })
  if (!group) throw notFound('group')
  return group.workspaceID
}

const loadGroup = selectLoader<Context, Group>(
  (ctx, workspaceID, ids) => Prisma.sql`
    SELECT ${groupColumns} FROM ${rowsBy('id', ids, { ...sourceFor(ctx.actor), alias: 'g', workspaceID })}`,
)

/** Returns the group, or undefined if the caller cannot see it. Does not check a scope. Accepts a workspace's ID. */
export function findGroupUnscoped(ctx: Context, workspaceID: string, id: string): Promise<Group | undefined> {
  return loadGroup(ctx, workspaceID, toGroupID(id))
}

/** Finds a group that the caller can see. A workspace's ID means its General group. */
export async function findGroup(ctx: Context, id: string, scope: Scope = 'groups:read') {
  requireScope(ctx, scope)
  return groupIn(ctx, ctx.actor.workspaceID, id)
}

export async function findGroupForAnyActor(ctx: Context, id: string): Promise<Group | null | undefined> {
  return ctx.actor.kind === 'operator' ? ctx.db.group.findFirst({ where: { id } }) : findGroup(ctx, id)
}

/** Returns a group of the given workspace. The operator can access the groups of all workspaces. */
export async function accessGroupIn(
  ctx: Context,
  workspaceID: string,
  id: string,
  scope: Scope = 'groups:read',
): Promise<Group> {
  if (ctx.actor.kind === 'user') requireScope(ctx, scope)
  const group = await groupIn(ctx, workspaceID, id)
  if (!group) throw notFound('group')
  return group
}

export async function accessGroup(ctx: Context, id: string, scope?: Scope): Promise<Group> {
  const group = await findGroup(ctx, id, scope)
  if (!group) throw notFound('group')
  return group
}

async function groupIn(ctx: Context, workspaceID: string, id: string): Promise<Group | undefined> {
  return prefixOf(toGroupID(id)) === 'grp' ? findGroupUnscoped(ctx, workspaceID, id) : undefined
}
