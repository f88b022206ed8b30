import type { Context, UserActor } from '../context.ts'
import { type FileLink, refusedLink } from '../files/links.ts'
import type { File } from '../generated/prisma/client.ts'
import { knownUser } from '../users/access.ts'
import { findFile } from './access.ts'

/** Returns a link's file while its user is in the workspace and can see it. All refusals are the same error. */
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
