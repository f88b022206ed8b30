import { z } from 'zod'
import { revokeInvitationOf } from '../../accounts/links/sign-in-links.ts'
import { record } from '../../audit/record.ts'
import { type Context, requireScope } from '../../context.ts'
import { type Database, inTransaction } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { conflictAt, notFound } from '../../errors.ts'
import { Prisma, type User } from '../../generated/prisma/client.ts'
import { requireWorkspaceAdmin } from '../../groups/workspace-admins.ts'
import { id, parseInput } from '../../input.ts'
import { accessAdministeredUser } from '../../users/access.ts'
import { userColumns } from '../../users/rows.ts'
import { deleteAsAdmin } from '../users/delete-user.ts'
import { lockInvitations } from './invite-person.ts'

const inputSchema = z.object({ userID: id })

/**
 * Revokes the invitation of a person who has not joined yet, and deletes the person. Otherwise they could still join with
 * a link by mail or with OpenID Connect.
 */
export async function revokeInvitation(ctx: Context, input: z.input<typeof inputSchema>): Promise<User> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:write')
  const { userID } = parseInput(inputSchema, input)
  await requireWorkspaceAdmin(ctx)
  const { workspaceID } = await accessAdministeredUser(ctx, userID)
  return inTransaction(ctx.db, async (tx) => {
    await lockInvitations(tx, workspaceID)
    // A sign-in also locks the link before the person. Whoever is first succeeds.
    const isRevoked = await revokeInvitationOf(tx, { workspaceID, id: userID })
    const person = await lockPerson(tx, workspaceID, userID)
    if (person?.accountID)
      throw conflictAt('already_joined', 'userID', 'is a person who has joined the workspace')
    if (!person || !isRevoked) throw notFound('invitation')
    const inTx = { ...ctx, db: tx }
    await record(inTx, { action: 'revokeInvitation', workspaceID, object: person })
    return deleteAsAdmin(inTx, person)
  })
}

async function lockPerson(tx: Database, workspaceID: string, userID: string): Promise<User | undefined> {
  const [person] = await query<User>(
    tx,
    Prisma.sql`
    SELECT ${userColumns} FROM users u
    WHERE u.workspace_id = ${workspaceID} AND u.id = ${userID} AND u.deleted_at IS NULL FOR NO KEY UPDATE`,
  )
  return person
}
