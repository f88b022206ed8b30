import type { ListRange } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Search } from './search.ts'
import { maxFewThreads } from './searched-threads.ts'

const sampleSize = 300
/** Matches are common if at least one in this many messages matches. */
const commonFrom = 50

/** Words that need a longer scan are so rare that it is faster to gather all their matches. */
export const maxScanLength = 100_000

export type IndexState = {
  /** Whether some messages are not indexed. A separate statement for this would take as long as a sample. */
  isBehind: boolean
}

export type Sample = IndexState & {
  scanned: number
  matched: number
  /** How many matches are in the `few` threads of the search. Equal to `matched` if `few` is not set. */
  matchedVisible: number
  isAll: boolean
  /** Whether the sample has its full size, but no message matches. */
  isRare: boolean
}

/** Returns the SELECT of a sample. Its size is a literal, because the query plan for a parameter sorts all messages. */
export function sampleOf(search: Search, { beyond, order }: ListRange): Prisma.Sql {
  const { workspaceID, tsquery, documentConditions } = search
  const size = Prisma.raw(`${sampleSize}`)
  const matches = Prisma.sql`s.words @@ ${tsquery}`
  const matched = Prisma.sql`count(*) FILTER (WHERE ${matches})`
  const { few } = search.threads
  const matchedVisible = few
    ? Prisma.sql`count(*) FILTER (WHERE CASE WHEN ${matches} THEN ${isIn(few.ids, search)} END)`
    : matched
  return Prisma.sql`
    SELECT count(*)::integer AS scanned, (${matched})::integer AS matched,
      (${matchedVisible})::integer AS "matchedVisible",
      count(*) < ${size} AS "isAll", count(*) = ${size} AND ${matched} = 0 AS "isRare",
      (${indexStateOf(search)}) AS "isBehind"
    FROM (
      SELECT * FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${documentConditions} ${beyond}
      ORDER BY ${order} LIMIT ${size}
    ) AS s`
}

// Without the LIMIT, the planner may overestimate the number of threads, and read them again for each message.
function isIn(threadIDs: Prisma.Sql, { workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`(
    SELECT thread_id FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id
  ) IN (SELECT id FROM (${threadIDs}) AS own LIMIT ${Prisma.raw(`${2 * maxFewThreads}`)})`
}

function indexStateOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = ${workspaceID}) OR EXISTS (
      SELECT FROM event_heads h WHERE h.workspace_id = ${workspaceID} AND h.position > coalesce(
        (SELECT position FROM search_progress WHERE workspace_id = ${workspaceID}), 0)) AS "isBehind"`
}

/** Scanning one message takes about as long as gathering this many messages of the caller's threads. */
const gatheredPerScanned = 3

/** Returns how many messages to scan, or 0 if it is faster to gather the matches of the caller's few threads. */
export function scanLengthAmongFew(
  { limit }: ListRange,
  { scanned, matchedVisible }: Sample,
  messages: number,
): number {
  const expected = (limit * scanned) / matchedVisible
  return expected * gatheredPerScanned > messages ? 0 : 2 * Math.ceil(expected)
}

/** Returns how many messages to scan, or 0 if it is faster to gather all matches. Rarer words need a longer scan. */
export function scanLengthAmongMany({ limit }: ListRange, { scanned, matched }: Sample): number {
  if (matched * commonFrom >= scanned) return maxScanLength
  const expected = (limit * scanned) / matched
  return expected > maxScanLength ? 0 : 2 * Math.ceil(expected)
}
