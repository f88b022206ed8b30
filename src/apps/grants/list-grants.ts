import { audited } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { activePersonOf } from '../../users/active-person.ts'
import { endGrant } from './end-grant.ts'
import { idleDays } from './issue-tokens.ts'

export type PersonalGrant = {
  workspaceID: string
  id: string
  workspace: string
  avatarURL: string | null
  appID: string
  app: string
  scopes: string[]
  createdAt: Date
  lastTokenAt: Date
}

/** Returns the grants with which apps act as the people of an account, the newest first. */
export function listGrants(db: Database, accountID: string): Promise<PersonalGrant[]> {
  return query<PersonalGrant>(
    db,
    Prisma.sql`
    SELECT g.workspace_id AS "workspaceID", g.id, w.name AS workspace, w.avatar_url AS "avatarURL",
      a.id AS "appID", a.name AS app, g.scopes, g.created_at AS "createdAt",
      g.expires_at - make_interval(days => ${idleDays}) AS "lastTokenAt"
    FROM (SELECT * FROM users WHERE account_id = ${accountID} AND deleted_at IS NULL OFFSET 0) u
    JOIN grants g ON g.workspace_id = u.workspace_id AND g.user_id = u.id
    JOIN workspaces w ON w.id = g.workspace_id
    JOIN installations i ON i.workspace_id = g.workspace_id AND i.app_id = g.app_id
    JOIN apps a ON a.workspace_id = i.app_workspace_id AND a.id = i.app_id
    WHERE g.acts_as_user AND g.code_used_at IS NOT NULL AND g.expires_at > now()
      AND EXISTS (${activePersonOf('g')})
    ORDER BY g.created_at DESC, g.id DESC`,
  )
}

/** Revokes a grant of the person who is signed in. Throws if the person has no such grant. */
export async function revokeOwnGrant(ctx: Context, accountID: string, id: string): Promise<void> {
  const grant = (await listGrants(ctx.db, accountID)).find((known) => known.id === id)
  if (!grant) throw notFound('grant')
  const { workspaceID, appID, app } = grant
  await audited(
    ctx,
    async ({ db }) => {
      if (!(await endGrant(db, grant))) throw notFound('grant')
    },
    () => ({
      action: 'revokeGrant',
      workspaceID,
      object: { id: appID, name: app },
      details: { grantID: id },
    }),
  )
}
