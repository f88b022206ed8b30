import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import { query } from '../../platform/query.ts'
import type { Search } from './search.ts'
import { messageOf, visibleMatch } from './sources.ts'

const sampleSize = 300
/** One match in so many messages is common. */
const commonFrom = 50

/** Taken where the first one has a match that is not common, which may be because people are talking of it right now. */
const secondSampleSize = 3000

/** A longer walk takes longer than to gather the matches of words that are so rare. */
export const maxExpected = 100_000

/** How far a walk along the messages may go, nowhere for rare words; and whether that is all there is. */
export type Estimate = { walk: number; isAll: boolean }

/** What is known of a search before it looks for a page. */
export type Outlook = {
  /** Whether there are messages that are not indexed. Told here, since to ask for it alone takes as long as a sample. */
  isBehind: boolean
}

/** The same with what the first messages of a range tell. */
export type Sample = Outlook & {
  walked: number
  matched: number
  /** How many matches the caller may see. It is counted for a caller who sees few threads. */
  shown: number
  /** Whether none of them match, and there are more. */
  isRare: boolean
}

/** In SQL, the sample of a range. Its size is written out, since a plan for any size sorts all messages. */
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

/** A condition on `s`: the caller may see its message, which is still as it was indexed. */
function isShown(search: Search): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM (SELECT) AS one ${messageOf(search)} WHERE ${visibleMatch(search)})`
}

/** In SQL, the outlook of a search. */
export function outlookOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM unindexed_messages WHERE workspace_id = ${workspaceID}) AS "isBehind"`
}

/**
 * How far to walk along the messages to fill the range for a caller who sees few threads, by a first sample that has
 * matches; nowhere if such a walk is longer than all messages of these threads.
 */
export function walkAmongFew({ limit }: Range, { walked, shown }: Sample, messages: number): number {
  if (walked < sampleSize) return maxExpected
  const expected = (limit * walked) / shown
  return expected > messages ? 0 : 2 * Math.ceil(expected)
}

/**
 * Whether the range is sooner filled on a walk along the messages than from all the matches, gathered by the index: the
 * walk is longer the rarer the words are, and the matches are more the more messages there are. By a first sample that
 * has matches.
 */
export async function estimate(
  { db }: Context<UserActor>,
  search: Search,
  range: Range,
  first: Sample,
): Promise<Estimate> {
  // There may be some more by now.
  if (first.walked < sampleSize) return { walk: maxExpected, isAll: true }
  if (first.matched * commonFrom >= first.walked) return { walk: maxExpected, isAll: false }
  const [second] = await query<Sample>(db, sampleOf(search, range, secondSampleSize), { isLong: true })
  const expected = second ? (range.limit * second.walked) / second.matched : Number.POSITIVE_INFINITY
  return { walk: expected > maxExpected ? 0 : 2 * Math.ceil(expected), isAll: false }
}
