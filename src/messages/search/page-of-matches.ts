import type { Context, UserActor } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import {
  emptyPage,
  type Listing,
  type ListRange,
  type PageArgs,
  pageOf,
  pageWithParent,
  rangeOf,
} from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { readCursor } from '../../platform/cursors.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import {
  type IndexState,
  maxScanLength,
  type Sample,
  sampleOf,
  scanLengthAmongFew,
  scanLengthAmongMany,
} from './estimates.ts'
import { indexRecent } from './indexing/index-recent.ts'
import type { Search } from './search.ts'
import {
  fromIndex,
  fromIndexByThread,
  messageOf,
  type Source,
  scanByTime,
  visibleMatch,
  visibleMatches,
} from './sources.ts'

export type SearchOrder = 'newest' | 'best'

const maxRanked = 1000
// Options of ts_rank_cd: 1 divides by the logarithm of the length, 32 brings the rank below 1.
const shorter = 1
const belowOne = 32
/** Ranks are integers up to this value, because a cursor holds an integer exactly. */
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

/** Cursors contain the time of the first page (`until`). All pages rank only the messages up to this time. */
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

/** The first message of a thread has the subject of the thread, because the query may match the subject. */
export type FoundMessage = AuthoredMessage & { subject: string | null }
type Found = FoundMessage & { candidates?: number }

const foundColumns = Prisma.sql`${messageColumns}, CASE WHEN m.position = 1 THEN (
  SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id) END AS subject`

type SearchPlan = {
  /** The range of messages that is scanned or sampled. */
  sampled: ListRange
  listing: (source: Source) => Listing
  /** Whether a scan found enough matches before it reached its limit. */
  isFull: (page: Connection<Found>) => boolean
}

/** A sample and the caller's threads determine how the page is read. Every way finds the same matches. */
export async function pageOfMatches(
  ctx: Context<UserActor>,
  search: Search,
  order: SearchOrder,
  args: PageArgs,
): Promise<Connection<FoundMessage>> {
  const { sampled, listing, isFull } = order === 'best' ? bestFirst(search, args) : newestFirst(search, args)
  const readPage = (source: Source) => pageOf<Found>(ctx.db, listing(source), args)
  // If the sample has its full size and none of its messages match, the same statement gathers all matches.
  const { parent: sample, page: rarePage } = await withIndexedMessages(ctx, (condition) => {
    const ifRare = fromIndex(Prisma.sql`parent."isRare" AND ${condition}`)
    return pageWithParent<Found, Sample>(ctx.db, listing(ifRare), sampleOf(search, sampled), args)
  })
  if (sample.isRare) return rarePage
  if (sample.isAll) return readPage(scanByTime(maxScanLength))
  const { few } = search.threads
  const scanOrGather = async (scanLength: number, source: Source) => {
    const page = scanLength > 0 ? await readPage(scanByTime(scanLength)) : undefined
    return page && isFull(page) ? page : readPage(source)
  }
  if (!few) return scanOrGather(scanLengthAmongMany(sampled, sample), fromIndex())
  return scanOrGather(scanLengthAmongFew(sampled, sample, few.messages), fromIndexByThread(few.ids))
}

// If messages are not indexed yet, the first statement reads no page. It runs again after `indexRecent`.
async function withIndexedMessages<Parent extends IndexState>(
  ctx: Context<UserActor>,
  pageWhere: (condition: Prisma.Sql) => Promise<{ parent: Parent; page: Connection<Found> }>,
): Promise<{ parent: Parent; page: Connection<Found> }> {
  const first = await pageWhere(Prisma.sql`NOT parent."isBehind"`)
  if (!first.parent.isBehind) return first
  await indexRecent(ctx)
  return pageWhere(Prisma.sql`TRUE`)
}

function newestFirst(search: Search, args: PageArgs): SearchPlan {
  const sampled = rangeOf(newest, args)
  return {
    sampled,
    listing: (source) => ({
      ...newest,
      columns: foundColumns,
      from: (range) => Prisma.sql`${source(search, range)} ${messageOf(search)} ${joinAuthor}`,
      where: visibleMatch(search),
    }),
    isFull: ({ pageInfo }) => (sampled.backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage),
  }
}

function bestFirst(search: Search, args: PageArgs): SearchPlan {
  const until = untilOf(args)
  const { workspaceID, rankTsquery } = search
  return {
    sampled: rankedRange(until),
    listing: (source) => ({
      ...best,
      columns: Prisma.sql`${foundColumns}, s.candidates::integer`,
      from: ({ beyond, order, limit }) => Prisma.sql`(
        SELECT * FROM (
          SELECT s.created_at, s.position, s.message_id, ${until} AS until,
            (ts_rank_cd(document.words, ${rankTsquery}, ${shorter | belowOne}) * ${rankSteps})::integer AS rank,
            count(*) OVER () AS candidates
          FROM ${visibleMatches(source, search, rankedRange(until))}
          CROSS JOIN LATERAL (
            SELECT words FROM searchable_messages
            WHERE workspace_id = ${workspaceID} AND created_at = s.created_at AND position = s.position
              AND message_id = s.message_id
            OFFSET 0) AS document
        ) AS s
        WHERE TRUE ${beyond} ORDER BY ${order} LIMIT ${limit}) AS s ${messageOf(search)} ${joinAuthor}`,
      where: Prisma.sql`TRUE`,
    }),
    isFull: ({ nodes }) => nodes[0]?.candidates === maxRanked,
  }
}

function rankedRange(until: Prisma.Sql): ListRange {
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
