import { type Context, requireOperator } from '../../context.ts'
import type { Connection, Edge } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import { byCreation, edgeByCreation, type PageArgs } from '../../database/paging.ts'
import { Prisma, type Webhook, type Workspace } from '../../generated/prisma/client.ts'
import { webhookColumns } from './rows.ts'

const name = 'webhooks'

const loadWebhooks = pageLoader<Context, Webhook>((_ctx, workspaceID) => ({
  name,
  columns: webhookColumns,
  from: Prisma.sql`webhooks h`,
  where: Prisma.sql`h.workspace_id = ${workspaceID} AND h.deleted_at IS NULL`,
  keys: byCreation('h'),
}))

export async function listWebhooks(
  ctx: Context,
  { id }: Workspace,
  args: PageArgs,
): Promise<Connection<Webhook>> {
  requireOperator(ctx)
  return loadWebhooks(ctx, { workspaceID: id, id }, args)
}

export function webhookEdge(webhook: Webhook): Edge<Webhook> {
  return edgeByCreation(name, webhook)
}
