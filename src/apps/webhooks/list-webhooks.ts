import { type Context, requireScope } from '../../context.ts'
import type { Connection, Edge } from '../../database/connection.ts'
import { pageLoader } from '../../database/loader.ts'
import { byCreation, edgeByCreation, type PageArgs } from '../../database/paging.ts'
import { Prisma, type Webhook, type Workspace } from '../../generated/prisma/client.ts'
import { webhooksManagedBy } from './access.ts'
import { webhookColumns } from './rows.ts'

const name = 'webhooks'

const loadWebhooks = pageLoader<Context, Webhook>((ctx, workspaceID) => ({
  name,
  columns: webhookColumns,
  from: webhooksManagedBy(ctx.actor),
  where: Prisma.sql`h.workspace_id = ${workspaceID}`,
  keys: byCreation('h'),
}))

export async function listWebhooks(
  ctx: Context,
  { id }: Workspace,
  args: PageArgs,
): Promise<Connection<Webhook>> {
  if (ctx.actor.kind === 'user') requireScope(ctx, 'webhooks:read')
  return loadWebhooks(ctx, { workspaceID: id, id }, args)
}

export function webhookEdge(webhook: Webhook): Edge<Webhook> {
  return edgeByCreation(name, webhook)
}
