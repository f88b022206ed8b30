import type { Context, UserActor } from '../../context.ts'
import { type FileLink, refusedLink } from '../../files/links.ts'
import type { File } from '../../generated/prisma/client.ts'
import { findUserUnscoped } from '../../users/access.ts'
import { findFile } from '../access.ts'

/** Returns the file of a link if the link's user exists and can see it. Otherwise always throws the same error. */
export async function accessLinkedFile(
  shared: Omit<Context, 'actor'>,
  { workspaceID, userID, fileID, expires }: FileLink,
): Promise<{ file: File; expires: number }> {
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: new Set(['threads.messages:read']) }
  const ctx = { ...shared, actor }
  const [user, file] = await Promise.all([findUserUnscoped(ctx, workspaceID, userID), findFile(ctx, fileID)])
  if (!file || !user || user.deletedAt) throw refusedLink()
  return { file, expires }
}
