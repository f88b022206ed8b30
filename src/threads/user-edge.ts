import { type Context, requireScope } from '../context.ts'
import type { Edge } from '../database/connection.ts'
import { AppError } from '../errors.ts'
import type { Thread, User } from '../generated/prisma/client.ts'
import { prefixOf } from '../platform/ids.ts'
import { findUserUnscoped } from '../users/access.ts'
import { dmOrNull } from './chats.ts'
import { threadEdge } from './list/list-threads.ts'

export type UserEdge = { id: string; other: User }

export function isUserEdgeID(id: string): boolean {
  const parts = id.split('-')
  return parts.length === 2 && parts.every((part) => prefixOf(part) === 'usr')
}

/** Returns the edge between the caller and another user. `id` consists of the two user IDs, in either order. */
export async function findUserEdge(ctx: Context, id: string): Promise<UserEdge | undefined> {
  requireScope(ctx, 'threads:read')
  const { workspaceID, userID } = ctx.actor
  const parts = id.split('-')
  if (!parts.includes(userID)) {
    throw new AppError(
      'forbidden',
      'One of the two users of a UserEdge must be the user who makes the request.',
    )
  }
  const otherUserID = parts[0] === userID ? parts[1] : parts[0]
  if (otherUserID === undefined || otherUserID === userID) return undefined
  const other = await findUserUnscoped(ctx, workspaceID, otherUserID)
  return other && { id: `${otherUserID}-${userID}`, other }
}

export async function persistentChatEdge(ctx: Context, { other }: UserEdge): Promise<Edge<Thread> | null> {
  const node = await dmOrNull(ctx, other)
  return node ? threadEdge(node, 'created') : null
}
