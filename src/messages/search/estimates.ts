import type { Context, UserActor } from '../../context.ts'
import type { Range } from '../../database/paging.ts'
import { query } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Search } from './search.ts'
import { maxFewThreads } from './threads.ts'

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
  /** How many matches are in the caller's threads. If the caller sees many threads, it is `matched`. */
  shown: number
  /** Whether none of them match, and there are more. */
  isRare: boolean
}

/** Returns the SELECT of a sample. Its size is a literal, because a plan for any size sorts all messages. */
export function sampleOf(search: Search, { beyond, order }: Range, size = sampleSize): Prisma.Sql {
  const { workspaceID, query: asked, within } = search
  const matches = Prisma.sql`s.words @@ ${asked}`
  const matched = Prisma.sql`count(*) FILTER (WHERE ${matches})`
  const { few } = search.threads
  const shown = few
    ? Prisma.sql`count(*) FILTER (WHERE CASE WHEN ${matches} THEN ${isIn(few.ids, search)} END)`
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

// A condition on `s`: its message is in one of these few threads. The LIMIT tells the planner that a hash table of them
// fits in memory. Without it, the planner may expect all threads of a group, and read them again for each message.
function isIn(threadIDs: Prisma.Sql, { workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`(
    SELECT thread_id FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id
  ) IN (SELECT id FROM (${threadIDs}) AS own LIMIT ${Prisma.raw(`${2 * maxFewThreads}`)})`
}

export function outlookOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM unindexed_messages WHERE workspace_id = ${workspaceID}) AS "isBehind"`
}

// What else a search spends its time on, in messages that could be read meanwhile.
const perThread = 3
const perActiveThread = 5
const perMatchOfWalk = 15

/**
 * Returns in how many of the most active threads to look for a page of the newest matches, or 0 if that takes longer
 * than a walk or includes all of the threads.
 */
export function activeThreads(
  { limit }: Range,
  sample: Sample,
  few: { threads: number; messages: number },
): number {
  const { walked, matched, shown } = sample
  const active = Math.ceil((1.25 * limit * walked) / matched)
  if (active >= few.threads) return 0
  const reading = few.threads * perThread + active * (few.messages / few.threads + perActiveThread)
  const walking = (limit * (walked + matched * perMatchOfWalk)) / shown
  return reading < walking ? active : 0
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
