import { type Context, requireScope, type UserActor } from '../context.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { writeCursor } from '../platform/cursors.ts'
import { byCreation, type Connection, type Listing, type PageArgs, pageOf } from '../platform/paging.ts'
import { threadColumns, visibleThreads } from './access.ts'

export type ThreadOrder = 'created' | 'lastMessage'

const orders = {
  created: {
    name: 'threads',
    keys: byCreation('t'),
    descending: false,
  },
  lastMessage: {
    name: 'threads by last message',
    // The period follows from the time and adds nothing to the order; but it is what the index has.
    keys: [
      { column: Prisma.sql`t.activity_period`, type: 'bigint' },
      { column: Prisma.sql`t.last_activity_at`, type: 'timestamptz(3)' },
      { column: Prisma.sql`t.id`, type: 'text' },
    ],
    descending: true,
  },
} satisfies Record<ThreadOrder, Pick<Listing, 'name' | 'keys' | 'descending'>>

/** The threads, group chats and DMs that the caller may see: oldest first, or latest activity first. Throws `forbidden`. */
export async function listThreads(
  ctx: Context,
  order: ThreadOrder,
  args: PageArgs,
): Promise<Connection<Thread>> {
  requireScope(ctx, 'threads:read')
  return pageOf<Thread>(ctx.db, listingOf(ctx.actor, order), args)
}

/** Where a thread stands in the list by creation. */
export function threadCursor(thread: Thread): string {
  return writeCursor(orders.created.name, [thread.createdAt, thread.id])
}

function listingOf(actor: UserActor, order: ThreadOrder): Listing {
  return {
    ...orders[order],
    columns: threadColumns,
    from: Prisma.sql`threads t`,
    where: Prisma.sql`t.workspace_id = ${actor.workspaceID} AND ${visibleThreads(actor)}`,
  }
}
