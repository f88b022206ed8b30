import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import { query } from '../../platform/query.ts'
import type { Search } from './search.ts'

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
  /** Whether none of them match, and there are more. */
  isRare: boolean
}

/** In SQL, the sample of a range. */
export function sampleOf(search: Search, { beyond, order }: Range, size = sampleSize): Prisma.Sql {
  const { workspaceID, query: asked, within } = search
  const matched = Prisma.sql`count(*) FILTER (WHERE s.words @@ ${asked})`
  return Prisma.sql`
    SELECT count(*)::integer AS walked, (${matched})::integer AS matched,
      count(*) = ${size} AND ${matched} = 0 AS "isRare",
      (${outlookOf(search)}) AS "isBehind"
    FROM (
      SELECT * FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${within} ${beyond}
      ORDER BY ${order} LIMIT ${size}
    ) AS s`
}

/** In SQL, the outlook of a search. */
export function outlookOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM unindexed_messages WHERE workspace_id = ${workspaceID}) AS "isBehind"`
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
  const [second] = await query<Sample>(db, sampleOf(search, range, secondSampleSize))
  const expected = second ? (range.limit * second.walked) / second.matched : Number.POSITIVE_INFINITY
  return { walk: expected > maxExpected ? 0 : 2 * Math.ceil(expected), isAll: false }
}
