import type { ListRange } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Search } from './search.ts'
import { type FewThreads, maxFewThreads } from './searched-threads.ts'

// All numbers here were measured on 2026-11-26, see docs/decisions/0034-search-plans.md.

/** 1,000 messages take 0.7 ms more, and 100 messages save 0.2 ms, but estimate the caller's share badly. */
const sampleSize = 300

/** If at least one in this many messages matches, a scan goes on for callers who see only a small part of them. */
const commonFrom = 50

/** Scanning this many messages takes 0.1 s, like gathering 13,000 matches. Rarer words need a longer scan. */
const maxScanLength = 100_000

/** Scanning a message, and checking whether the caller sees a match, takes as long as gathering three messages. */
const gatheredPerScanned = 3

export type Sample = {
  scanned: number
  matched: number
  /** How many matches are in the `few` threads of the search. Equal to `matched` if `few` is not set. */
  matchedVisible: number
  /** Whether some messages are not indexed. A separate statement for this would take as long as a sample. */
  isBehind: boolean
}

/** Returns the SELECT of a sample. Its size is a literal, because the query plan for a parameter sorts all messages. */
export function sampleOf(search: Search, { beyond, order }: ListRange): Prisma.Sql {
  const { workspaceID, tsquery, documentConditions, threads } = search
  const size = Prisma.raw(`${sampleSize}`)
  const isVisible = threads.few ? isIn(threads.few, search) : true
  return Prisma.sql`
    SELECT count(*)::integer AS scanned, (count(*) FILTER (WHERE s."isMatch"))::integer AS matched,
      (count(*) FILTER (WHERE CASE WHEN s."isMatch" THEN CAST(${isVisible} AS boolean) END))::integer AS "matchedVisible",
      (${isBehind(search)}) AS "isBehind"
    FROM (
      SELECT s.message_id, s.words @@ CAST(${tsquery} AS tsquery) AS "isMatch" FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${documentConditions} ${beyond}
      ORDER BY ${order} LIMIT ${size}
    ) AS s`
}

// Without the LIMIT, the planner may overestimate the number of threads, and read them again for each message.
function isIn({ ids }: FewThreads, { workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`(
    SELECT thread_id FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id
  ) IN (SELECT id FROM (${ids}) AS own LIMIT ${Prisma.raw(`${2 * maxFewThreads}`)})`
}

function isBehind({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`
    SELECT EXISTS (SELECT FROM event_notes WHERE workspace_id = ${workspaceID}) OR EXISTS (
      SELECT FROM event_heads h WHERE h.workspace_id = ${workspaceID} AND h.position > coalesce(
        (SELECT position FROM search_progress WHERE workspace_id = ${workspaceID}), 0))`
}

/** Returns how many messages to scan by time for a page, or 0 if it is faster to gather all matches. */
export function scanLengthFor(
  { limit }: ListRange,
  { scanned, matched, matchedVisible }: Sample,
  few: FewThreads | undefined,
): number {
  const expected = (limit * scanned) / matchedVisible
  const available = scanned < sampleSize ? scanned : maxScanLength
  const most = few ? Math.min(available, few.messages / gatheredPerScanned) : available
  if (expected > most) return 0
  const isCommon = !few && matched * commonFrom >= scanned
  return isCommon ? maxScanLength : 2 * Math.ceil(expected)
}
