import type { Range } from '../../database/paging.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { threadsAtOnce } from './marks.ts'
import type { Search } from './search.ts'

/** Part of a FROM: documents `s` that match, in the order of the range. Their messages may be hidden. */
export type Source = (search: Search, range: Range) => Prisma.Sql

const columns = Prisma.sql`s.created_at, s.position, s.message_id, s.edited_at`

/** Gathers all matches from the index of words, if a condition holds. For rare words. */
export const fromIndex =
  (condition = Prisma.sql`TRUE`): Source =>
  (search, { order }) =>
    Prisma.sql`(
    SELECT ${columns} FROM searchable_messages s WHERE ${condition} AND ${indexed(search, search.query)}
    ORDER BY ${order} OFFSET 0) AS s`

/** Gathers the matches in these threads from the index of words. Costs as much as there are matches in them. */
export const fromIndexByThread =
  (threadIDs: Prisma.Sql): Source =>
  (search, { order }) =>
    Prisma.sql`(
    SELECT ${columns}
    FROM (
      SELECT ${search.query} && CAST(string_agg(quote_literal(id), ' | ') AS tsquery) AS query
      FROM (
        SELECT id, row_number() OVER () / ${threadsAtOnce} AS part FROM (SELECT DISTINCT id FROM (${threadIDs}) AS seen) AS few
      ) AS numbered
      GROUP BY part
    ) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM searchable_messages s WHERE ${indexed(search, Prisma.sql`asked.query`)} OFFSET 0) AS s
    ORDER BY ${order} OFFSET 0) AS s`

/** Walks along at most so many messages by time, until the page is full. For words that are in many messages. */
export const alongTime =
  (messages: number, condition = Prisma.sql`TRUE`): Source =>
  ({ workspaceID, query, within }, { beyond, order }) =>
    Prisma.sql`(
    SELECT ${columns} FROM (
      SELECT * FROM searchable_messages s
      WHERE ${condition} AND s.workspace_id = ${workspaceID} ${within} ${beyond}
      ORDER BY ${order} LIMIT ${messages}
    ) AS s
    WHERE s.words @@ ${query}) AS s`

/**
 * Reads the newest messages of these threads: all that are newer than the last message of the least active among the
 * so many most active ones. Every thread beyond those has older messages only. For words that are in many messages.
 */
export const fromNewestOf =
  (threadIDs: Prisma.Sql, threads: number): Source =>
  ({ workspaceID, query, within }, { beyond, order }) =>
    Prisma.sql`(
    SELECT ${columns}
    FROM (
      SELECT id, min(last_activity_at) OVER () AS since FROM (
        SELECT t.id, t.last_activity_at
        FROM (SELECT DISTINCT id FROM (${threadIDs}) AS seen) AS few
        CROSS JOIN LATERAL (
          SELECT id, last_activity_at FROM threads WHERE workspace_id = ${workspaceID} AND id = few.id OFFSET 0) AS t
        ORDER BY t.last_activity_at DESC LIMIT ${threads}
      ) AS active
    ) AS newest
    CROSS JOIN LATERAL (
      SELECT id, created_at, position FROM messages
      WHERE workspace_id = ${workspaceID} AND thread_id = newest.id AND created_at > newest.since OFFSET 0) AS m
    CROSS JOIN LATERAL (
      SELECT * FROM searchable_messages
      WHERE workspace_id = ${workspaceID} AND created_at = m.created_at AND position = m.position AND message_id = m.id
      OFFSET 0) AS s
    WHERE s.words @@ ${query} ${within} ${beyond}
    ORDER BY ${order} OFFSET 0) AS s`

/** Reads the messages of these threads one by one. For prefixes, whose words the index would read in all threads. */
export const fromThreads =
  (threadIDs: Prisma.Sql): Source =>
  ({ workspaceID, query }, { order }) =>
    Prisma.sql`(
    SELECT ${columns}
    FROM (SELECT DISTINCT id FROM (${threadIDs}) AS seen) AS few
    CROSS JOIN LATERAL (
      SELECT id, created_at, position FROM messages WHERE workspace_id = ${workspaceID} AND thread_id = few.id OFFSET 0) AS m
    CROSS JOIN LATERAL (
      SELECT * FROM searchable_messages
      WHERE workspace_id = ${workspaceID} AND created_at = m.created_at AND position = m.position AND message_id = m.id
      OFFSET 0) AS s
    WHERE s.words @@ ${query}
    ORDER BY ${order} OFFSET 0) AS s`

// The words carry the workspace, by which the index finds them. Compared without `|| ''`, the workspace would lead to
// the primary key, and so to all its messages.
function indexed({ workspaceID }: Search, query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`s.words @@ ${query} AND s.workspace_id || '' = ${workspaceID}`
}

/** Returns the visible matches. The source is sorted, so visibility is checked only until there are enough. */
export function visibleMatches(source: Source, search: Search, range: Range): Prisma.Sql {
  return Prisma.sql`(
    SELECT s.created_at, s.position, s.message_id FROM ${source(search, range)} ${messageOf(search)}
    WHERE ${visibleMatch(search)} ${range.beyond}
    ORDER BY ${range.order} LIMIT ${range.limit}) AS s`
}

/** A condition on `s` and its message `m`. */
export function visibleMatch({ visible, within }: Search): Prisma.Sql {
  return Prisma.sql`m.deleted_at IS NULL AND ${visible} ${within}`
}

/** Joins the message of `s` as `m`. */
export function messageOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id OFFSET 0) AS m`
}
