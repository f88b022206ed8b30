import type { ListRange } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { maxThreadsPerQuery } from './filter-tokens.ts'
import type { Search } from './search.ts'

// Each source is a SELECT of matches in the order of the range. The caller may be unable to see some of them.

const columns = Prisma.sql`s.created_at, s.position, s.message_id, s.edited_at`

/** Gathers all matches from the index of words, or none if the condition is false. It is empty or begins with AND. */
export function fromIndex(search: Search, range: ListRange, condition = Prisma.empty): Prisma.Sql {
  return gatheredBy(Prisma.sql`SELECT CAST(${search.tsquery} AS tsquery) AS query`, search, range, condition)
}

/** Gathers the matches in these threads from the index of words. The cost is proportional to their matches. */
export function fromIndexByThread(search: Search, range: ListRange, threadIDs: Prisma.Sql): Prisma.Sql {
  const queries = Prisma.sql`
    SELECT CAST(${search.tsquery} AS tsquery) && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
    FROM (
      SELECT id, row_number() OVER () / ${maxThreadsPerQuery} AS part FROM (SELECT DISTINCT id FROM (${threadIDs}) AS seen) AS few
    ) AS numbered
    GROUP BY part`
  return gatheredBy(queries, search, range)
}

// The words in the index begin with the prefix of the workspace. Therefore a search does not need an index on
// `workspace_id`. Without `|| ''`, PostgreSQL would read the whole workspace by the primary key.
function gatheredBy(
  queries: Prisma.Sql,
  { workspaceID }: Search,
  { order }: ListRange,
  condition = Prisma.empty,
): Prisma.Sql {
  return Prisma.sql`
    SELECT ${columns}
    FROM (${queries}) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM searchable_messages
      WHERE words @@ asked.query AND workspace_id || '' = ${workspaceID} OFFSET 0) AS s
    WHERE TRUE ${condition}
    ORDER BY ${order} OFFSET 0`
}

/** Scans at most `messages` messages by time, until the page is full. Use it for words in many messages. */
export function scanByTime(search: Search, { beyond, order }: ListRange, messages: number): Prisma.Sql {
  const { workspaceID, tsquery, documentConditions } = search
  return Prisma.sql`
    SELECT ${columns} FROM (
      SELECT * FROM searchable_messages s
      WHERE s.workspace_id = ${workspaceID} ${documentConditions} ${beyond}
      ORDER BY ${order} LIMIT ${messages}
    ) AS s
    WHERE s.words @@ CAST(${tsquery} AS tsquery)`
}

/** Selects the visible matches. Checks visibility only until the page is full, because the matches are sorted. */
export function visibleMatches(search: Search, matches: Prisma.Sql, range: ListRange): Prisma.Sql {
  return Prisma.sql`
    SELECT s.created_at, s.position, s.message_id FROM ${withMessages(search, matches)}
    WHERE ${visibleMatch(search)} ${range.beyond}
    ORDER BY ${range.order} LIMIT ${range.limit}`
}

export function visibleMatch({ messageConditions, documentConditions }: Search): Prisma.Sql {
  return Prisma.sql`m.deleted_at IS NULL AND ${messageConditions} ${documentConditions}`
}

/** Returns FROM items: the matches as `s`, and their messages as `m`. */
export function withMessages({ workspaceID }: Search, matches: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${matches}) AS s CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id OFFSET 0) AS m`
}
