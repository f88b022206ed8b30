import type { ListRange } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { maxThreadsPerQuery } from './filter-tokens.ts'
import type { Search } from './search.ts'

/** Returns a FROM item, `s`: the matches in the order of the range. The caller may be unable to see some of them. */
export type Source = (search: Search, range: ListRange) => Prisma.Sql

const columns = Prisma.sql`s.created_at, s.position, s.message_id, s.edited_at`

/** Gathers all matches from the index of words, or none if `condition` is false. Use it for rare words. */
export const fromIndex =
  (condition = Prisma.sql`TRUE`): Source =>
  (search, { order }) =>
    Prisma.sql`(
    SELECT ${columns} FROM searchable_messages s WHERE ${condition} AND ${indexed(search, search.tsquery)}
    ORDER BY ${order} OFFSET 0) AS s`

/** Gathers the matches in these threads from the index of words. The cost is proportional to their matches. */
export const fromIndexByThread =
  (threadIDs: Prisma.Sql): Source =>
  (search, { order }) =>
    Prisma.sql`(
    SELECT ${columns}
    FROM (
      SELECT ${search.tsquery} && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
      FROM (
        SELECT id, row_number() OVER () / ${maxThreadsPerQuery} AS part FROM (SELECT DISTINCT id FROM (${threadIDs}) AS seen) AS few
      ) AS numbered
      GROUP BY part
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM searchable_messages s WHERE ${indexed(search, Prisma.sql`asked.query`)} OFFSET 0) AS s
    ORDER BY ${order} OFFSET 0) AS s`

/** Scans at most `messages` messages by time, until the page is full. Use it for words in many messages. */
export const scanByTime =
  (messages: number): Source =>
  ({ workspaceID, tsquery, documentConditions }, { beyond, order }) =>
    Prisma.sql`(
    SELECT ${columns} FROM (
      SELECT * FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${documentConditions} ${beyond}
      ORDER BY ${order} LIMIT ${messages}
    ) AS s
    WHERE s.words @@ ${tsquery}) AS s`

// The words in the index begin with the prefix of the workspace. Therefore a search does not need an index on
// `workspace_id`. Without `|| ''`, PostgreSQL would read the whole workspace by the primary key.
function indexed({ workspaceID }: Search, tsquery: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`s.words @@ ${tsquery} AND s.workspace_id || '' = ${workspaceID}`
}

/** Returns the visible matches. Checks visibility only until the page is full, because the source is sorted. */
export function visibleMatches(source: Source, search: Search, range: ListRange): Prisma.Sql {
  return Prisma.sql`(
    SELECT s.created_at, s.position, s.message_id FROM ${source(search, range)} ${messageOf(search)}
    WHERE ${visibleMatch(search)} ${range.beyond}
    ORDER BY ${range.order} LIMIT ${range.limit}) AS s`
}

export function visibleMatch({ messageConditions, documentConditions }: Search): Prisma.Sql {
  return Prisma.sql`m.deleted_at IS NULL AND ${messageConditions} ${documentConditions}`
}

export function messageOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id OFFSET 0) AS m`
}
