import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import { query } from '../../platform/query.ts'
import { indexRecent } from './index-recent.ts'
import type { Search } from './search.ts'

const sampleSize = 300
/** One match in so many messages is common. */
const commonFrom = 50

/** Taken where the first one has a match that is not common, which may be because people are talking of it right now. */
const secondSampleSize = 3000

/** A longer walk takes longer than to gather the matches of words that are so rare. */
const maxExpected = 100_000

/** How far a walk along the messages may go, nowhere for rare words; and whether that is all there is. */
export type Estimate = { walk: number; isAll: boolean }

/**
 * Whether the range is sooner filled on a walk along the messages than from all the matches, gathered by the index: the
 * walk is longer the rarer the words are, and the matches are more the more messages there are. By the first few hundred
 * messages of the range. What was noted before is indexed then.
 */
export async function estimate(ctx: Context<UserActor>, search: Search, range: Range): Promise<Estimate> {
  let first = await takeSample(ctx, search, range, sampleSize)
  if (first.isBehind) {
    await indexRecent(ctx)
    first = await takeSample(ctx, search, range, sampleSize)
  }
  // There may be some more by now.
  if (first.walked < sampleSize) return { walk: maxExpected, isAll: true }
  if (first.matched === 0) return { walk: 0, isAll: false }
  if (first.matched * commonFrom >= first.walked) return { walk: maxExpected, isAll: false }
  const second = await takeSample(ctx, search, range, secondSampleSize)
  const expected = (range.limit * second.walked) / second.matched
  return { walk: expected > maxExpected ? 0 : 2 * Math.ceil(expected), isAll: false }
}

type Sample = {
  walked: number
  matched: number
  /** Whether there are messages that are not indexed. Told here, since to ask for it alone takes as long as a sample. */
  isBehind: boolean
}

async function takeSample(
  { db }: Context<UserActor>,
  { workspaceID, query: asked, within }: Search,
  { beyond, order }: Range,
  size: number,
): Promise<Sample> {
  const [counted] = await query<Sample>(
    db,
    Prisma.sql`
      SELECT count(*)::integer AS walked, (count(*) FILTER (WHERE s.words @@ ${asked}))::integer AS matched,
        EXISTS (SELECT FROM unindexed_messages WHERE workspace_id = ${workspaceID}) AS "isBehind"
      FROM (
        SELECT * FROM searchable_messages s
        WHERE s.workspace_id = ${workspaceID} ${within} ${beyond}
        ORDER BY ${order} LIMIT ${size}
      ) AS s`,
  )
  return counted ?? { walked: 0, matched: 0, isBehind: true }
}
