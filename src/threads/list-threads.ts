import { type Context, requireScope, type UserActor } from '../context.ts'
import { Prisma, type Thread } from '../generated/prisma/client.ts'
import { writeCursor } from '../platform/cursors.ts'
import { byCreation, type Connection, type Listing, type PageArgs, pageOf } from '../platform/paging.ts'
import { query } from '../platform/query.ts'
import { Remembered } from '../platform/remembered.ts'
import { threadColumns, threadIDsOf, visibleThreads } from './access.ts'

/** More threads than these are never gathered. */
const maxFew = 2000
const rememberMs = 60_000

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
  const from = (await seesMany(ctx)) ? Prisma.sql`threads t` : fewThreads(ctx.actor)
  const { workspaceID } = ctx.actor
  const listing: Listing = {
    ...orders[order],
    columns: threadColumns,
    from,
    where: Prisma.sql`t.workspace_id = ${workspaceID} AND ${visibleThreads(ctx.actor)}`,
  }
  return pageOf<Thread>(ctx.db, listing, args)
}

/** Where a thread stands in the list by creation. */
export function threadCursor(thread: Thread): string {
  return writeCursor(orders.created.name, [thread.createdAt, thread.id])
}

const known = new Remembered<{ isMany: boolean; until: number }>(10_000)

/**
 * Whether the caller meets its next page sooner on a walk along all threads than by gathering its own and sorting them.
 * Who sees s of t threads walks past 50 t / s for a page of 50, and gathers s. It is remembered for a while, since
 * either way leads to the same page.
 */
async function seesMany({ db, actor }: Context<UserActor>): Promise<boolean> {
  const remembered = known.get(actor.userID)
  if (remembered && remembered.until > Date.now()) return remembered.isMany
  const [counted] = await query<{ seen: number; others: number }>(
    db,
    Prisma.sql`
      SELECT own.seen::integer, (
        SELECT count(*) FROM (
          SELECT FROM threads t WHERE t.workspace_id = ${actor.workspaceID} LIMIT own.seen * own.seen / 50) AS walked
      )::integer AS others
      FROM (SELECT count(*) AS seen FROM (${threadIDsOf(actor)} LIMIT ${maxFew + 1}) AS gathered) AS own`,
  )
  const { seen, others } = counted ?? { seen: 0, others: 0 }
  const isMany = seen > maxFew || others < Math.floor((seen * seen) / 50)
  known.set(actor.userID, { isMany, until: Date.now() + rememberMs })
  return isMany
}

function fewThreads(actor: UserActor): Prisma.Sql {
  return Prisma.sql`(SELECT DISTINCT id FROM (${threadIDsOf(actor)}) AS seen) AS few CROSS JOIN LATERAL (
    SELECT * FROM threads WHERE workspace_id = ${actor.workspaceID} AND id = few.id OFFSET 0) AS t`
}
