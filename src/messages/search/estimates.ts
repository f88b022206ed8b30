import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import { query } from '../../platform/query.ts'
import type { Search } from './search.ts'
import { messageOf, visibleMatch } from './sources.ts'

const sampleSize = 300
/** Matches are common if one in this many messages matches. */
const commonFrom = 50

/** Used if matches are not common in the first sample, which may have what people are talking about right now. */
const secondSampleSize = 3000

/** A longer walk takes longer than gathering the matches of words that are so rare. */
export const maxExpected = 100_000

/** How many messages to walk along, 0 for rare words, and whether these are all messages. */
export type Estimate = { walk: number; isAll: boolean }

export type Outlook = {
  /** Whether some messages are not indexed. Reading this alone would take as long as a sample. */
  isBehind: boolean
}

export type Sample = Outlook & {
  walked: number
  matched: number
  /** How many matches the caller can see. If the caller sees many threads, it is `matched`. */
  shown: number
  /** Whether none of them match, and there are more. */
  isRare: boolean
}

/** Returns the SELECT of a sample. Its size is a literal, because a plan for any size sorts all messages. */
export function sampleOf(search: Search, { beyond, order }: Range, size = sampleSize): Prisma.Sql {
  const { workspaceID, query: asked, within } = search
  const matches = Prisma.sql`s.words @@ ${asked}`
  const matched = Prisma.sql`count(*) FILTER (WHERE ${matches})`
  const shown = search.threads.few
    ? Prisma.sql`count(*) FILTER (WHERE CASE WHEN ${matches} THEN ${isShown(search)} END)`
    : matched
  return Prisma.sql`
    SELECT count(*)::integer AS walked, (${matched})::integer AS matched, (${shown})::integer AS shown,
      count(*) = ${size} AND ${matched} = 0 AS "isRare",
      (${outlookOf(search)}) AS "isBehind"
    FROM (
      SELECT * FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${within} ${beyond}
      ORDER BY ${order} LIMIT ${Prisma.raw(`${size}`)}
    ) AS s`
}

// A condition on `s`: the caller can see its message, which has not changed since it was indexed.
function isShown(search: Search): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM (SELECT) AS one ${messageOf(search)} WHERE ${visibleMatch(search)})`
}

export function outlookOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM unindexed_messages WHERE workspace_id = ${workspaceID}) AS "isBehind"`
}

/** Returns how far to walk for a caller who sees few threads, or 0 if the threads have fewer messages than that. */
export function walkAmongFew({ limit }: Range, { walked, shown }: Sample, messages: number): number {
  if (walked < sampleSize) return maxExpected
  const expected = (limit * walked) / shown
  return expected > messages ? 0 : 2 * Math.ceil(expected)
}

/** Returns how far to walk, or 0 if gathering all matches is faster. The rarer the words, the longer the walk. */
export async function estimate(
  { db }: Context<UserActor>,
  search: Search,
  range: Range,
  first: Sample,
): Promise<Estimate> {
  // There may be more messages by now.
  if (first.walked < sampleSize) return { walk: maxExpected, isAll: true }
  if (first.matched * commonFrom >= first.walked) return { walk: maxExpected, isAll: false }
  const [second] = await query<Sample>(db, sampleOf(search, range, secondSampleSize), { isLong: true })
  const expected = second ? (range.limit * second.walked) / second.matched : Number.POSITIVE_INFINITY
  return { walk: expected > maxExpected ? 0 : 2 * Math.ceil(expected), isAll: false }
}
