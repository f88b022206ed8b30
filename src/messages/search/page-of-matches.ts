import type { Context, UserActor } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import {
  emptyPage,
  type Listing,
  type PageArgs,
  pageBeside,
  pageOf,
  type Range,
  rangeOf,
} from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { readCursor } from '../../platform/cursors.ts'
import { type AuthoredMessage, authorOfMessage, messageColumns } from '../rows.ts'
import { commonnessOf } from './common-words.ts'
import {
  activeThreads,
  estimate,
  maxExpected,
  type Outlook,
  outlookOf,
  type Sample,
  sampleOf,
  walkAmongFew,
} from './estimates.ts'
import { indexRecent } from './index-recent.ts'
import type { Search } from './search.ts'
import {
  alongTime,
  fromIndex,
  fromIndexByThread,
  fromNewestOf,
  fromThreads,
  messageOf,
  type Source,
  visibleMatch,
  visibleMatches,
} from './sources.ts'

export type SearchOrder = 'newest' | 'best'

/** How many of the newest matches are ranked. */
const maxRanked = 1000
// Options of ts_rank_cd: 1 divides by the logarithm of the length, 32 brings the rank below 1.
const shorter = 1
const belowOne = 32
/** Ranks are integers up to this, because every reader of a cursor reads an integer alike. */
const rankSteps = 1_000_000

const createdAt = { column: Prisma.sql`s.created_at`, type: 'timestamptz(3)', property: 'createdAt' } as const
const position = { column: Prisma.sql`s.position`, type: 'integer', property: 'position' } as const
const messageID = { column: Prisma.sql`s.message_id`, type: 'text', property: 'id' } as const

const newest = {
  name: 'messages found, newest first',
  isLong: true,
  keys: [createdAt, position, messageID],
  descending: true,
} as const

/** Cursors hold the time of the first page (`until`), because later messages would change what is ranked. */
const best = {
  name: 'messages found, best first',
  isLong: true,
  keys: [
    { column: Prisma.sql`s.rank`, type: 'integer' },
    createdAt,
    position,
    messageID,
    { column: Prisma.sql`s.until`, type: 'timestamptz(3)' },
  ],
  descending: true,
} as const

const nothing = { columns: Prisma.empty, from: Prisma.empty, where: Prisma.empty }

export function emptyMatches(order: SearchOrder, args: PageArgs): Connection<FoundMessage> {
  return emptyPage({ ...(order === 'best' ? best : newest), ...nothing }, args)
}

/** The first message of a thread has the thread's subject, by which it may have been found. */
export type FoundMessage = AuthoredMessage & { subject: string | null }
type Found = FoundMessage & { candidates?: number }

const foundColumns = Prisma.sql`${messageColumns}, CASE WHEN m.position = 1 THEN (
  SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id) END AS subject`

type Way = {
  /** What a walk and a sample read. */
  sampled: Range
  /** Whether it begins with the newest match. */
  isFromNewest: boolean
  listing: (source: Source) => Listing
  /** Whether a walk found enough before it came to its end. */
  isFull: (page: Connection<Found>) => boolean
}

/** Returns a page. Statistics, a sample and the caller's threads decide where it looks, but not what it finds. */
export async function pageOfMatches(
  ctx: Context<UserActor>,
  search: Search,
  order: SearchOrder,
  args: PageArgs,
): Promise<Connection<FoundMessage>> {
  const { sampled, isFromNewest, listing, isFull } =
    order === 'best' ? bestFirst(search, args) : newestFirst(search, args)
  const pageFrom = (source: Source) => pageOf<Found>(ctx.db, listing(source), args)
  const pageBy = (source: (condition: Prisma.Sql) => Source) =>
    upToDate(ctx, (condition) =>
      pageBeside<Found, Outlook>(ctx.db, listing(source(condition)), outlookOf(search), args),
    )
  const commonness = await commonnessOf(ctx.db, search)
  if (commonness === 'uncommon') return (await pageBy(fromIndex)).page
  const { few } = search.threads
  if (commonness === 'common' && !few) {
    const { page } = await pageBy((condition) => alongTime(maxExpected, condition))
    if (isFull(page)) return page
  }
  const { parent: sample, page: rarePage } = await upToDate(ctx, (condition) => {
    const whereRare = fromIndex(Prisma.sql`parent."isRare" AND ${condition}`)
    return pageBeside<Found, Sample>(ctx.db, listing(whereRare), sampleOf(search, sampled), args)
  })
  if (sample.isRare) return rarePage
  if (few) {
    const active = isFromNewest ? activeThreads(sampled, sample, few) : 0
    const newest = active > 0 ? await pageFrom(fromNewestOf(few.ids, active)) : undefined
    if (newest && isFull(newest)) return newest
    const walk = walkAmongFew(sampled, sample, few.messages)
    const page = walk > 0 ? await pageFrom(alongTime(walk)) : undefined
    return page && (isFull(page) || walk === maxExpected) ? page : pageFrom(amongThreads(search, few.ids))
  }
  const { walk, isAll } = await estimate(ctx, search, sampled, sample)
  if (walk === 0) return pageFrom(fromIndex())
  const page = await pageFrom(alongTime(walk))
  return isAll || isFull(page) ? page : pageFrom(fromIndex())
}

function amongThreads({ asked }: Search, threadIDs: Prisma.Sql): Source {
  const hasPrefix = asked.all.flat().some(({ isPrefix }) => isPrefix)
  return hasPrefix ? fromThreads(threadIDs) : fromIndexByThread(threadIDs)
}

// If messages are not indexed yet, the first statement reads no page. Then they are indexed, and it is repeated.
async function upToDate<Known extends Outlook>(
  ctx: Context<UserActor>,
  pageWhere: (condition: Prisma.Sql) => Promise<{ parent: Known; page: Connection<Found> }>,
): Promise<{ parent: Known; page: Connection<Found> }> {
  const first = await pageWhere(Prisma.sql`NOT parent."isBehind"`)
  if (!first.parent.isBehind) return first
  await indexRecent(ctx)
  return pageWhere(Prisma.sql`TRUE`)
}

function newestFirst(search: Search, args: PageArgs): Way {
  const sampled = rangeOf(newest, args)
  return {
    sampled,
    isFromNewest: !sampled.backward && args.after == null,
    listing: (source) => ({
      ...newest,
      columns: foundColumns,
      from: (range) => Prisma.sql`${source(search, range)} ${messageOf(search)} ${authorOfMessage}`,
      where: visibleMatch(search),
    }),
    isFull: ({ pageInfo }) => (sampled.backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage),
  }
}

function bestFirst(search: Search, args: PageArgs): Way {
  const until = untilOf(args)
  const { workspaceID, rankedBy } = search
  return {
    sampled: rankedRange(until),
    isFromNewest: false,
    listing: (source) => ({
      ...best,
      columns: Prisma.sql`${foundColumns}, s.candidates::integer`,
      from: ({ beyond, order, limit }) => Prisma.sql`(
        SELECT * FROM (
          SELECT s.created_at, s.position, s.message_id, ${until} AS until,
            (ts_rank_cd(document.words, ${rankedBy}, ${shorter | belowOne}) * ${rankSteps})::integer AS rank,
            count(*) OVER () AS candidates
          FROM ${visibleMatches(source, search, rankedRange(until))}
          CROSS JOIN LATERAL (
            SELECT words FROM searchable_messages
            WHERE workspace_id = ${workspaceID} AND created_at = s.created_at AND position = s.position
              AND message_id = s.message_id
            OFFSET 0) AS document
        ) AS s
        WHERE TRUE ${beyond} ORDER BY ${order} LIMIT ${limit}) AS s ${messageOf(search)} ${authorOfMessage}`,
      where: Prisma.sql`TRUE`,
    }),
    isFull: ({ nodes }) => nodes[0]?.candidates === maxRanked,
  }
}

function rankedRange(until: Prisma.Sql): Range {
  return {
    beyond: Prisma.sql`AND s.created_at <= ${until}`,
    order: Prisma.sql`s.created_at DESC, s.position DESC, s.message_id DESC`,
    limit: maxRanked,
    backward: false,
  }
}

function untilOf({ after, before }: PageArgs): Prisma.Sql {
  const [field, cursor] = after == null ? ['before', before] : ['after', after]
  const until = cursor == null ? Prisma.sql`now()` : readCursor(field, cursor, best).at(-1)
  return Prisma.sql`CAST(${until} AS timestamptz(3))`
}
