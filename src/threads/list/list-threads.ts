import { LRUCache } from 'lru-cache'
import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Connection, Edge } from '../../database/connection.ts'
import {
  byCreation,
  type Listing,
  type ListRange,
  type PageArgs,
  pageOf,
  rangeOf,
} from '../../database/paging.ts'
import { query } from '../../database/query.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { writeCursor } from '../../platform/cursors.ts'
import { threadIDsOf } from '../access.ts'
import { threadColumns } from '../rows.ts'
import {
  activityPeriodOf,
  type Candidates,
  readFilter,
  type ThreadFilter,
  type UnreadCondition,
} from './filters.ts'

/** The maximum number of candidates that are gathered. */
const maxFew = 2000

export type ThreadOrder = 'created' | 'lastMessage'

const orders = {
  created: {
    name: 'threads',
    keys: byCreation('t'),
    descending: false,
  },
  lastMessage: {
    name: 'threads by last message',
    // The index contains only the period of the last activity. Sorting by period and time gives the same order as
    // sorting by time. The period of a cursor is computed from its time, because before an upgrade, periods may have
    // had another length.
    keys: [
      {
        column: Prisma.sql`t.activity_period`,
        type: 'bigint',
        derive: ([, time = '']) => `${activityPeriodOf(new Date(time))}`,
      },
      { column: Prisma.sql`t.last_activity_at`, type: 'timestamptz(3)', property: 'lastActivityAt' },
      { column: Prisma.sql`t.id`, type: 'text', property: 'id' },
    ],
    descending: true,
  },
} satisfies Record<ThreadOrder, Pick<Listing, 'name' | 'keys' | 'descending'>>

export async function listThreads(
  ctx: Context,
  { order, filter, ...args }: PageArgs & { order: ThreadOrder; filter?: ThreadFilter | null | undefined },
  isUnread: UnreadCondition,
): Promise<Connection<Thread>> {
  requireScope(ctx, 'threads:read')
  const { where, among } = await readFilter(ctx, filter, isUnread)
  const source = await visibleThreadsSource(ctx, among)
  const listing: Listing = {
    ...orders[order],
    columns: threadColumns,
    from: source.from,
    where: Prisma.sql`${source.where} AND ${where}`,
  }
  return pageOf<Thread>(ctx.db, listing, args)
}

export async function latestThreads(ctx: Context<UserActor>, count: number): Promise<Prisma.Sql> {
  const { from, where } = await visibleThreadsSource(ctx, undefined)
  const range = rangeOf(orders.lastMessage, {})
  return Prisma.sql`SELECT t.* FROM ${from(range)} WHERE ${where} ORDER BY ${range.order} LIMIT ${count}::integer`
}

async function visibleThreadsSource(
  ctx: Context<UserActor>,
  among: Candidates | undefined,
): Promise<{ from: (range: ListRange) => Prisma.Sql; where: Prisma.Sql }> {
  const { workspaceID, userID } = ctx.actor
  const candidates = among?.ids ?? threadIDsOf(ctx.actor)
  const isScan = await isScanFaster(ctx, `${userID} ${among?.name}`, candidates)
  return {
    from: isScan ? scanSource(workspaceID) : () => gatheredSource(workspaceID, candidates),
    where: Prisma.sql`t.workspace_id = ${workspaceID} AND EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${userID} AND workspace_id = t.workspace_id AND id = t.id OFFSET 0)`,
  }
}

export function threadEdge(node: Thread, order: ThreadOrder): Edge<Thread> {
  const { createdAt, lastActivityAt, id } = node
  const keys = order === 'created' ? [createdAt, id] : [activityPeriodOf(lastActivityAt), lastActivityAt, id]
  return { cursor: writeCursor(orders[order].name, keys), node }
}

const cached = new LRUCache<string, boolean>({ max: 10_000, ttl: 60_000 })

// If s of t threads are candidates, a scan for a page of 50 reads 50 t / s threads, and gathering reads s. The result
// is cached, because an outdated result does not change the page.
async function isScanFaster(
  { db, actor: { workspaceID } }: Context<UserActor>,
  name: string,
  candidates: Prisma.Sql,
): Promise<boolean> {
  const hit = cached.get(name)
  if (hit !== undefined) return hit
  const [counted] = await query<{ total: number; others: number }>(
    db,
    Prisma.sql`
      SELECT own.total::integer, (
        SELECT count(*) FROM (
          SELECT FROM threads t WHERE t.workspace_id = ${workspaceID} LIMIT own.total * own.total / 50) AS scanned
      )::integer AS others
      FROM (SELECT count(*) AS total FROM (${candidates} LIMIT ${maxFew + 1}) AS gathered) AS own`,
  )
  const { total, others } = counted ?? { total: 0, others: 0 }
  const isFaster = total > maxFew || others < Math.floor((total * total) / 50)
  cached.set(name, isFaster)
  return isFaster
}

// Sorts first, because one period can have thousands of threads. Then checks conditions only until the page is full.
function scanSource(workspaceID: string): (range: ListRange) => Prisma.Sql {
  return ({ beyond, order }) => Prisma.sql`(
    SELECT * FROM threads t WHERE t.workspace_id = ${workspaceID} ${beyond} ORDER BY ${order} OFFSET 0) AS t`
}

function gatheredSource(workspaceID: string, candidates: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT DISTINCT id FROM (${candidates}) AS seen) AS few CROSS JOIN LATERAL (
    SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND id = few.id OFFSET 0) AS t`
}
