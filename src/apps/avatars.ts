import type { Context } from '../context.ts'
import type { Database } from '../database/database.ts'
import { query } from '../database/query.ts'
import { copyAvatarFile } from '../files/avatar-file.ts'
import { type AvatarLink, refusedLink } from '../files/links.ts'
import { type FileRow, fileColumns } from '../files/rows.ts'
import { type App, type Installation, Prisma } from '../generated/prisma/client.ts'
import { changeProgram } from '../users/write-user.ts'

/** Returns the condition that the file of a row is the picture of a user or an app. The row has `workspace_id` and `id`. */
export function isAvatar(file: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(EXISTS (
    SELECT FROM users WHERE workspace_id = ${file}.workspace_id AND avatar_file_id = ${file}.id OFFSET 0) OR EXISTS (
    SELECT FROM apps WHERE workspace_id = ${file}.workspace_id AND avatar_file_id = ${file}.id OFFSET 0))`
}

/** Returns the picture of a link. Throws if nobody has the picture any more, or the user of the link is deleted. */
export async function accessLinkedAvatar(
  { db }: Pick<Context, 'db'>,
  { workspaceID, userID, fileID }: AvatarLink,
): Promise<FileRow> {
  const [file] = await query<FileRow>(
    db,
    Prisma.sql`
    SELECT ${fileColumns} FROM files f
    WHERE f.workspace_id = ${workspaceID} AND f.id = ${fileID} AND ${isAvatar(Prisma.sql`f`)} AND EXISTS (
      SELECT FROM users WHERE workspace_id = ${workspaceID} AND id = ${userID} AND deleted_at IS NULL OFFSET 0)`,
  )
  if (!file) throw refusedLink()
  return file
}

/** Gives the picture of an app to its user in one workspace. */
export async function shareAvatar(
  tx: Database,
  { workspaceID: home, avatarFileID: fileID }: Pick<App, 'workspaceID' | 'avatarFileID'>,
  { workspaceID, userID }: Pick<Installation, 'workspaceID' | 'userID'>,
): Promise<void> {
  const isCopied = fileID !== null && workspaceID !== home
  const avatarFileID = isCopied
    ? await copyAvatarFile(tx, { workspaceID: home, fileID }, { workspaceID, userID })
    : fileID
  await changeProgram(tx, { workspaceID, id: userID }, { avatarFileID })
}

/** Gives the picture of an app to its users in all workspaces. Orders them so that two calls do not deadlock. */
export async function shareAvatarEverywhere(tx: Database, app: App): Promise<void> {
  const installations = await tx.installation.findMany({
    where: { appWorkspaceID: app.workspaceID, appID: app.id, uninstalledAt: null },
    orderBy: { workspaceID: 'asc' },
  })
  for (const installation of installations) await shareAvatar(tx, app, installation)
}
