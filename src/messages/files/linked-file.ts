import type { Context, UserActor } from '../../context.ts'
import { type FileLink, refusedLink } from '../../files/links.ts'
import type { FileRow } from '../../files/rows.ts'
import { findUserUnscoped } from '../../users/access.ts'
import { findFile } from '../access.ts'

/**
 * Returns the file of a link, and how long the link is still valid. If the link has expired, or the link's user does not
 * exist or cannot see the file, always throws the same error.
 */
export async function accessLinkedFile(
  shared: Omit<Context, 'actor'>,
  { workspaceID, userID, fileID, expires }: FileLink,
): Promise<{ file: FileRow; secondsLeft: number }> {
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: new Set(['threads.messages:read']) }
  const ctx = { ...shared, actor }
  const [user, file] = await Promise.all([findUserUnscoped(ctx, workspaceID, userID), findFile(ctx, fileID)])
  if (!file || !user || user.deletedAt) throw refusedLink()
  const secondsLeft = expires - file.readAt.getTime() / 1000
  if (secondsLeft <= 0) throw refusedLink()
  return { file, secondsLeft }
}
