import { type AuditFilter, matching } from '../../audit/filter.ts'
import { auditEntryColumns } from '../../audit/rows.ts'
import { type Context, requireOperator, requireScope } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { byCreation, type Listing, type ListRange, type PageArgs, pageOf } from '../../database/paging.ts'
import { type AuditEntry, Prisma } from '../../generated/prisma/client.ts'
import type { AuditActorKind } from '../../generated/resolver-types.ts'
import { workspaceRoleOf } from '../../groups/workspace-admins.ts'

/** An entry with the present name of the user who acted. */
export type ListedAuditEntry = AuditEntry & { actorKind: AuditActorKind; userName: string | null }

type Args = PageArgs & { filter?: AuditFilter | null | undefined }

const columns = Prisma.sql`${auditEntryColumns}, (
  SELECT u.name FROM users u WHERE u.workspace_id = e.workspace_id AND u.id = e.actor_id) AS "userName"`

/** Returns the entries of a workspace, the newest first. Null unless the caller is an admin or the operator. */
export async function listAuditEntries(
  ctx: Context,
  workspaceID: string,
  { filter, ...page }: Args,
): Promise<Connection<ListedAuditEntry> | null> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'workspaces:read')
  const condition = matching(filter)
  if (ctx.actor.kind === 'user' && (await workspaceRoleOf(ctx)) !== 'admin') return null
  const visible =
    ctx.actor.kind === 'operator'
      ? Prisma.empty
      : Prisma.sql`AND (e.object_id IS NULL OR e.object_id NOT LIKE 'grp\_%' OR EXISTS (
          SELECT FROM visible_groups WHERE viewer_id = ${ctx.actor.userID} AND workspace_id = ${workspaceID}
            AND id = e.object_id OFFSET 0))`
  // Both parts are read in the order of their index, because each of them can be long.
  const part = (where: Prisma.Sql, { beyond, order, limit }: ListRange) => Prisma.sql`(
    SELECT * FROM audit_entries e WHERE ${where} AND ${condition} ${visible} ${beyond} ORDER BY ${order} LIMIT ${limit})`
  const from = (range: ListRange) => Prisma.sql`(
    ${part(Prisma.sql`e.workspace_id = ${workspaceID}`, range)} UNION ALL
    ${part(Prisma.sql`e.workspace_id = '' AND e.actor_kind = 'account' AND ${isMember(workspaceID)}`, range)}) AS e`
  return pageOf<ListedAuditEntry>(ctx.db, { ...listing, from, where: Prisma.sql`TRUE` }, page)
}

function isMember(workspaceID: string): Prisma.Sql {
  return Prisma.sql`EXISTS (
    SELECT FROM users u
    WHERE u.workspace_id = ${workspaceID} AND u.account_id = e.actor_id AND u.created_at <= e.created_at OFFSET 0)`
}

/** Returns the entries of all workspaces, accounts and the service, the newest first. */
export async function listAllAuditEntries(
  ctx: Context,
  { filter, ...page }: Args,
): Promise<Connection<ListedAuditEntry>> {
  requireOperator(ctx)
  return pageOf<ListedAuditEntry>(
    ctx.db,
    { ...listing, from: Prisma.sql`audit_entries e`, where: matching(filter) },
    page,
  )
}

const listing: Pick<Listing, 'name' | 'columns' | 'keys' | 'descending' | 'isLong'> = {
  name: 'auditEntries',
  columns,
  keys: byCreation('e'),
  descending: true,
  isLong: true,
}
