import { type Context, requireScope, type UserActor } from '../context.ts'
import { selectLoader } from '../database/loader.ts'
import { rowsBy } from '../database/query.ts'
import { AppError, notFound } from '../errors.ts'
import { Prisma, type User } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import type { Scope } from '../scopes.ts'
import { userColumns } from './rows.ts'

/** Finds a user, even if deleted. Everyone in a workspace can see its users. Does not check a scope. */
export const findUserUnscoped = selectLoader<Context, User>(
  (_ctx, workspaceID, ids) => Prisma.sql`
    SELECT ${userColumns} FROM ${rowsBy('id', ids, { table: 'users', alias: 'u', workspaceID })}`,
)

/** Returns a user that a row refers to, such as the author of a message. */
export async function userOf(ctx: Context, workspaceID: string, id: string): Promise<User> {
  const user = await findUserUnscoped(ctx, workspaceID, id)
  if (!user) throw new Error(`The user ${id} is referenced but does not exist`)
  return user
}

/** Finds a user of the caller's workspace, even if deleted. */
export async function findUser(ctx: Context, id: string, scope: Scope = 'workspaces:read') {
  requireScope(ctx, scope)
  return prefixOf(id) === 'usr' ? findUserUnscoped(ctx, ctx.actor.workspaceID, id) : undefined
}

export async function findUserForAnyActor(ctx: Context, id: string): Promise<User | null | undefined> {
  return ctx.actor.kind === 'operator' ? ctx.db.user.findFirst({ where: { id } }) : findUser(ctx, id)
}

export async function accessUser(ctx: Context, id: string, scope?: Scope): Promise<User> {
  const user = await findUser(ctx, id, scope)
  if (!user) throw notFound('user')
  return user
}

/** Returns a user of the caller's workspace, or of any workspace for the operator. Does not check a permission. */
export async function accessAdministeredUser({ db, actor }: Context, id: string): Promise<User> {
  const workspace = actor.kind === 'user' ? { workspaceID: actor.workspaceID } : {}
  const user = await db.user.findFirst({ where: { id, ...workspace } })
  if (!user) throw notFound('person')
  return user
}

/** Throws unless the caller is a person. The settings of an inbox are for people. */
export async function requirePerson(ctx: Context<UserActor>): Promise<void> {
  const { workspaceID, userID } = ctx.actor
  if ((await userOf(ctx, workspaceID, userID)).kind !== 'person')
    throw new AppError('forbidden', 'Only people can do this, and not the user of a program.')
}
