import { LRUCache } from 'lru-cache'
import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { threadIDsNaming, threadIDsOf } from '../../threads/access.ts'
import { threadsAtOnce } from './marks.ts'
import type { SearchFilter } from './search-input.ts'

export const maxFewThreads = 2000
const maxFewMessages = 20_000

/** The threads that matches can be in, if there are not many. */
export type Threads = {
  /** Set if they are few and have few messages together. `ids` is a SELECT, in which IDs can occur twice. */
  few?: { ids: Prisma.Sql; threads: number; messages: number }
  /** Set if they are a handful with many messages. */
  handful?: string[] | undefined
}

type Counted = { number: 'few' | 'handful' | 'many'; threads: number; messages: number }
type Source = { ids: Prisma.Sql; name: string }

const cached = new LRUCache<string, Counted>({ max: 10_000, ttl: 60_000 })

/** Returns the threads of a search. Only their number is cached, because any number leads to the same matches. */
export async function threadsFor(ctx: Context<UserActor>, filter: SearchFilter): Promise<Threads> {
  const { threadID, groupID } = filter
  if (threadID != null) return { handful: [threadID] }
  const { workspaceID, userID } = ctx.actor
  const source =
    groupID == null
      ? { ids: threadIDsOf(ctx.actor), name: userID }
      : { ids: threadIDsNaming(workspaceID, groupID), name: `${workspaceID} ${groupID}` }
  const { number, threads, messages } = await countsOf(ctx, source)
  if (number === 'few') return { few: { ids: source.ids, threads, messages } }
  return number === 'handful' ? { handful: await handfulOf(ctx, source) } : {}
}

async function countsOf({ db, actor }: Context<UserActor>, { ids, name }: Source): Promise<Counted> {
  const known = cached.get(name)
  if (known) return known
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
  const number = isFew ? 'few' : threads <= threadsAtOnce ? 'handful' : 'many'
  const result = { number, threads, messages } as const
  cached.set(name, result)
  return result
}

// Undefined if there are more than when they were counted.
async function handfulOf({ db }: Context<UserActor>, { ids }: Source): Promise<string[] | undefined> {
  const limit = 2 * threadsAtOnce
  const rows = await query<{ id: string }>(db, Prisma.sql`SELECT id FROM (${ids}) AS own LIMIT ${limit}`)
  const handful = [...new Set(rows.map(({ id }) => id))]
  return rows.length < limit ? handful : undefined
}
