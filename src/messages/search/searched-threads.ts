import { LRUCache } from 'lru-cache'
import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { threadIDsAddressedTo, threadIDsOf } from '../../threads/access.ts'
import { maxThreadsPerQuery } from './filter-tokens.ts'
import type { SearchFilter } from './search-input.ts'

// Measured on 2026-11-26, see docs/decisions/0034-search-plans.md: gathering a word that is in a third of 20,000 messages
// takes 36 to 45 ms. With 40,000 messages in 2,000 threads, a search took 4 ms as for many threads, and 7 ms as for few.
export const maxFewThreads = 2000
const maxFewMessages = 20_000

/** A SELECT of threads that have few messages together. Its IDs can repeat. */
export type FewThreads = { ids: Prisma.Sql; messages: number }

/** The threads that can contain matches. Both fields are undefined if there are many threads. */
export type SearchedThreads = {
  /** Set if there are few threads with few messages. */
  few?: FewThreads
  /** Set if `few` is not set and there are at most about `maxThreadsPerQuery` threads. */
  ids?: string[] | undefined
}

type Counted = { size: 'few' | 'fewThreads' | 'many'; messages: number }
type Source = { ids: Prisma.Sql; name: string }

const cached = new LRUCache<string, Counted>({ max: 10_000, ttl: 60_000 })

/** Returns the threads of a search. Only the counts are cached. An outdated count does not change the matches. */
export async function searchedThreads(
  ctx: Context<UserActor>,
  filter: SearchFilter,
): Promise<SearchedThreads> {
  const { threadID, groupID } = filter
  if (threadID != null) return { ids: [threadID] }
  const { workspaceID, userID } = ctx.actor
  const source =
    groupID == null
      ? { ids: threadIDsOf(ctx.actor), name: userID }
      : { ids: threadIDsAddressedTo(workspaceID, groupID), name: `${workspaceID} ${groupID}` }
  const { size, messages } = await countsOf(ctx, source)
  if (size === 'few') return { few: { ids: source.ids, messages } }
  return size === 'fewThreads' ? { ids: await idsOf(ctx, source) } : {}
}

async function countsOf({ db, actor }: Context<UserActor>, { ids, name }: Source): Promise<Counted> {
  const hit = cached.get(name)
  if (hit) return hit
  const [counted] = await query<{ threads: number; messages: number }>(
    db,
    Prisma.sql`
      SELECT count(*)::integer AS threads, coalesce(sum(t.last_position), 0)::float8 AS messages
      FROM (SELECT id FROM (${ids}) AS own LIMIT ${maxFewThreads + 1}) AS seen
      CROSS JOIN LATERAL (
        SELECT last_position FROM threads WHERE workspace_id = ${actor.workspaceID} AND id = seen.id OFFSET 0) AS t`,
    { isLong: true },
  )
  const { threads, messages } = counted ?? { threads: 0, messages: 0 }
  const isFew = threads <= maxFewThreads && messages <= maxFewMessages
  const size = isFew ? 'few' : threads <= maxThreadsPerQuery ? 'fewThreads' : 'many'
  const result = { size, messages } as const
  cached.set(name, result)
  return result
}

// Returns undefined if there are now at least `2 * maxThreadsPerQuery` IDs. An ID can occur several times.
async function idsOf({ db }: Context<UserActor>, { ids }: Source): Promise<string[] | undefined> {
  const limit = 2 * maxThreadsPerQuery
  const rows = await query<{ id: string }>(db, Prisma.sql`SELECT id FROM (${ids}) AS own LIMIT ${limit}`)
  const distinct = [...new Set(rows.map(({ id }) => id))]
  return rows.length < limit ? distinct : undefined
}
