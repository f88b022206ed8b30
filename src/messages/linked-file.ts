import type { Context, UserActor } from '../context.ts'
import { type FileLink, refusedLink } from '../files/links.ts'
import type { File } from '../generated/prisma/client.ts'
import { knownUser } from '../users/access.ts'
import { findFile } from './access.ts'

/**
 * The file that a link leads to, while whom it was made for is in the workspace and may see the file; and until when the
 * link is good. Throws `forbidden`, in the same words whatever is wrong.
 */
export async function accessLinkedFile(
  shared: Omit<Context, 'actor'>,
  { workspaceID, userID, fileID, expires }: FileLink,
): Promise<{ file: File; expires: number }> {
  const actor: UserActor = { kind: 'user', workspaceID, userID, scopes: new Set(['threads.messages:read']) }
  const ctx = { ...shared, actor }
  const [user, file] = await Promise.all([knownUser(ctx, workspaceID, userID), findFile(ctx, fileID)])
  if (!file || !user || user.deletedAt) throw refusedLink()
  return { file, expires }
}
