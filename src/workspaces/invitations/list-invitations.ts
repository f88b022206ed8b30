import { signInLinkColumns } from '../../accounts/rows.ts'
import { type Context, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { type Listing, type PageArgs, pageOf } from '../../database/paging.ts'
import { Prisma, type SignInLink } from '../../generated/prisma/client.ts'
import { workspaceRoleOf } from '../../groups/workspace-admins.ts'

/** An invitation with the person whom it is for. */
export type ListedInvitation = SignInLink & { workspaceID: string; userID: string }

// The person may have joined in another way, may have been deleted, or may have another address now.
const invitationsTo = (workspaceID: string): Listing => ({
  name: 'invitations',
  columns: signInLinkColumns,
  from: Prisma.sql`sign_in_links l CROSS JOIN LATERAL (
    SELECT FROM users WHERE workspace_id = l.workspace_id AND id = l.user_id AND lower(email) = l.email
      AND account_id IS NULL AND deleted_at IS NULL OFFSET 0) AS invitee`,
  where: Prisma.sql`l.workspace_id = ${workspaceID} AND l.user_id IS NOT NULL AND l.revoked_at IS NULL`,
  keys: [
    { column: Prisma.sql`l.created_at`, type: 'timestamptz(3)', property: 'createdAt' },
    { column: Prisma.sql`l.user_id`, type: 'text', property: 'userID' },
  ],
})

/** Returns the invitations that nobody has accepted, in order of creation. Null unless the caller manages people. */
export async function listInvitations(
  ctx: Context,
  workspaceID: string,
  args: PageArgs,
): Promise<Connection<ListedInvitation> | null> {
  if (ctx.actor.kind === 'user') {
    requireScope(ctx, 'workspaces:read')
    if ((await workspaceRoleOf(ctx)) !== 'admin') return null
  }
  return pageOf<ListedInvitation>(ctx.db, invitationsTo(workspaceID), args)
}
