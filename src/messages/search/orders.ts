import type { Connection } from '../../database/connection.ts'
import { emptyPage, type Listing, type ListRange, type PageArgs, rangeOf } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { readCursor } from '../../platform/cursors.ts'
import { type AuthoredMessage, joinAuthor, messageColumns } from '../rows.ts'
import type { Search } from './search.ts'
import { visibleMatch, visibleMatches, withMessages } from './sources.ts'

export type SearchOrder = 'newest' | 'best'

/** The first message of a thread has the subject of the thread, because the query may match the subject. */
export type FoundMessage = AuthoredMessage & { subject: string | null }
export type Found = FoundMessage & { candidates?: number }

/** How an order lists matches. */
export type MatchList = {
  /** The range of messages that is scanned, sampled or gathered. */
  range: ListRange
  listing: (matches: Prisma.Sql) => Listing
  /** Whether a scan found enough matches before it reached its limit. */
  isFull: (page: Connection<Found>) => boolean
}

const maxRanked = 1000
// Options of ts_rank_cd: 1 divides by the logarithm of the length, 32 brings the rank below 1.
const shorter = 1
const belowOne = 32
/** Ranks are integers up to this value, because a cursor holds an integer exactly. */
const rankSteps = 1_000_000

const createdAt = {
  column: Prisma.raw('s.created_at'),
  type: 'timestamptz(3)',
  property: 'createdAt',
} as const
const position = { column: Prisma.raw('s.position'), type: 'integer', property: 'position' } as const
const messageID = { column: Prisma.raw('s.message_id'), type: 'text', property: 'id' } as const

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
    { column: Prisma.raw('s.rank'), type: 'integer' },
    createdAt,
    position,
    messageID,
    { column: Prisma.raw('s.until'), type: 'timestamptz(3)' },
  ],
  descending: true,
} as const

const foundColumns = Prisma.sql`${messageColumns}, CASE WHEN m.position = 1 THEN (
  SELECT subject FROM threads WHERE workspace_id = m.workspace_id AND id = m.thread_id) END AS subject`

export function emptyMatches(order: SearchOrder, args: PageArgs): Connection<FoundMessage> {
  return emptyPage(order === 'best' ? best : newest, args)
}

export function newestFirst(search: Search, args: PageArgs): MatchList {
  const range = rangeOf(newest, args)
  return {
    range,
    listing: (matches) => ({
      ...newest,
      columns: foundColumns,
      from: withAuthors(search, matches),
      where: visibleMatch(search),
    }),
    isFull: ({ pageInfo }) => (range.backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage),
  }
}

export function bestFirst(search: Search, args: PageArgs): MatchList {
  const until = untilOf(args)
  const range = {
    ...rangeOf(newest, {}),
    beyond: Prisma.sql`AND s.created_at <= ${until}`,
    limit: maxRanked,
  }
  const { beyond, order, limit } = rangeOf(best, args)
  return {
    range,
    listing: (matches) => ({
      ...best,
      columns: Prisma.sql`${foundColumns}, s.candidates::integer`,
      from: withAuthors(
        search,
        Prisma.sql`
          SELECT * FROM (${ranked(search, visibleMatches(search, matches, range), until)}) AS s
          WHERE TRUE ${beyond} ORDER BY ${order} LIMIT ${limit}`,
      ),
      where: Prisma.sql`TRUE`,
    }),
    isFull: ({ nodes }) => nodes[0]?.candidates === maxRanked,
  }
}

function ranked({ workspaceID, rankTsquery }: Search, matches: Prisma.Sql, until: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT s.created_at, s.position, s.message_id, ${until} AS until,
      (ts_rank_cd(document.words, CAST(${rankTsquery} AS tsquery), ${shorter | belowOne}) * ${rankSteps})::integer AS rank,
      count(*) OVER () AS candidates
    FROM (${matches}) AS s
    CROSS JOIN LATERAL (
      SELECT words FROM searchable_messages
      WHERE workspace_id = ${workspaceID} AND created_at = s.created_at AND position = s.position
        AND message_id = s.message_id
      OFFSET 0) AS document`
}

function withAuthors(search: Search, matches: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${withMessages(search, matches)} ${joinAuthor}`
}

function untilOf({ after, before }: PageArgs): Prisma.Sql {
  const [field, cursor] = after == null ? ['before', before] : ['after', after]
  const until = cursor == null ? null : readCursor(field, cursor, best).at(-1)
  return Prisma.sql`CAST(coalesce(${until}, now()) AS timestamptz(3))`
}
