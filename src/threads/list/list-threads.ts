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
import { activityPeriodOf } from './activity.ts'
import { type Attention, type Candidates, readFilter, type ThreadFilter } from './filters.ts'

/** The maximum number of candidates that are gathered for a list. */
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
  attention: Attention,
): Promise<Connection<Thread>> {
  requireScope(ctx, 'threads:read')
  const { where, among, isVisible } = await readFilter(ctx, filter, attention)
  const source = await threadsSource(ctx, among)
  const listing: Listing = {
    ...orders[order],
    columns: threadColumns,
    from: source.from,
    where: Prisma.sql`${source.where} AND ${where} ${isVisible ? Prisma.empty : Prisma.sql`AND ${visibleTo(ctx.actor)}`}`,
  }
  return pageOf<Thread>(ctx.db, listing, args)
}

export async function latestThreads(ctx: Context<UserActor>, count: number): Promise<Prisma.Sql> {
  const { from, where } = await threadsSource(ctx, undefined)
  const range = rangeOf(orders.lastMessage, {})
  return Prisma.sql`SELECT t.* FROM ${from(range)} WHERE ${where} AND ${visibleTo(ctx.actor)} ORDER BY ${range.order} LIMIT ${count}::integer`
}

async function threadsSource(
  ctx: Context<UserActor>,
  among: Candidates | undefined,
): Promise<{ from: (range: ListRange) => Prisma.Sql; where: Prisma.Sql }> {
  const { workspaceID } = ctx.actor
  const candidates = among ?? { name: 'visible', ids: threadIDsOf(ctx.actor) }
  const isScan = await isScanFaster(ctx, candidates)
  return {
    from: isScan ? scanSource(workspaceID) : () => gatheredSource(workspaceID, candidates.ids),
    where: Prisma.sql`t.workspace_id = ${workspaceID}`,
  }
}

/** The condition that a user can see a thread `t`. */
export const visibleTo = ({ userID }: UserActor) => Prisma.sql`EXISTS (
      SELECT FROM visible_threads
      WHERE viewer_id = ${userID} AND workspace_id = t.workspace_id AND id = t.id OFFSET 0)`

export function threadEdge(node: Thread, order: ThreadOrder): Edge<Thread> {
  const { createdAt, lastActivityAt, id } = node
  const keys = order === 'created' ? [createdAt, id] : [activityPeriodOf(lastActivityAt), lastActivityAt, id]
  return { cursor: writeCursor(orders[order].name, keys), node }
}

type Counted = { total: number; others: number }

const cached = new LRUCache<string, Counted>({ max: 10_000, ttl: 60_000 })

// If s of t threads are candidates, a scan for a page of 50 reads 50 t / s threads, and gathering reads s.
async function isScanFaster(ctx: Context<UserActor>, candidates: Candidates): Promise<boolean> {
  const { total, others } = await countCandidates(ctx, candidates)
  return total > maxFew || others < Math.floor((total * total) / 50)
}

// The result is cached, because an outdated result does not change what is found. Other threads are counted only if they
// decide.
async function countCandidates(
  { db, actor: { workspaceID, userID } }: Context<UserActor>,
  { name, ids }: Candidates,
): Promise<Counted> {
  const hit = cached.get(`${userID} ${name}`)
  if (hit) return hit
  const [counted = { total: 0, others: 0 }] = await query<Counted>(
    db,
    Prisma.sql`
      SELECT own.total::integer, (
        SELECT count(*) FROM (
          SELECT FROM threads t WHERE t.workspace_id = ${workspaceID} 
            LIMIT CASE WHEN own.total > ${maxFew} THEN 0 ELSE own.total * own.total / 50 END) AS scanned
      )::integer AS others
      FROM (SELECT count(*) AS total FROM (${ids} LIMIT ${maxFew + 1}) AS gathered) AS own`,
  )
  cached.set(`${userID} ${name}`, counted)
  return counted
}

/**
 * Returns an item of a FROM clause with all candidates if they are few, and otherwise the threads with activity after a
 * time. Rows `t` of other threads can be among them.
 */
export async function threadsActiveSince(
  ctx: Context<UserActor>,
  candidates: Candidates,
  since: Prisma.Sql,
): Promise<Prisma.Sql> {
  const { workspaceID } = ctx.actor
  const { total } = await countCandidates(ctx, candidates)
  if (total <= maxFew) return gatheredSource(workspaceID, candidates.ids)
  const period = Prisma.sql`CASE WHEN ${since} > '-infinity' THEN floor(extract(epoch FROM ${since}))::bigint ELSE 0 END`
  return Prisma.sql`(
    SELECT * FROM threads WHERE workspace_id = ${workspaceID} AND activity_period >= (SELECT ${period}) OFFSET 0) AS t`
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
