import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import { threadsAtOnce } from './marks.ts'
import type { Search } from './search.ts'

/** A part of a FROM: rows `s` of documents that match, in the order of the range, of messages that may be hidden. */
export type Source = (search: Search, range: Range) => Prisma.Sql

const columns = Prisma.sql`s.created_at, s.position, s.message_id, s.edited_at`

/**
 * From the index of words, where a condition holds: costs as much as there are matches, whatever there is besides. For
 * words that are rare.
 */
export const fromIndex =
  (condition = Prisma.sql`TRUE`): Source =>
  (search, { order }) =>
    Prisma.sql`(
    SELECT ${columns} FROM searchable_messages s WHERE ${condition} AND ${indexed(search, search.query)}
    ORDER BY ${order} OFFSET 0) AS s`

/** The same of these threads alone, given by their IDs in SQL: costs as much as there are matches in them. */
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

/**
 * Along the messages by their time, as far as it takes to fill a page, and not past so many. For words that are in many
 * messages, whose matches would take long to gather.
 */
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
 * From the messages of these threads, one by one. For beginnings of words: these keep the index busy with all words that
 * begin so, wherever they are.
 */
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

/**
 * The words are those of the workspace, which is what the index goes by. Compared as it is, the workspace would lead to
 * the key, and so along all its messages.
 */
function indexed({ workspaceID }: Search, query: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`s.words @@ ${query} AND s.workspace_id || '' = ${workspaceID}`
}

/**
 * A part of a FROM: rows `s` of the matches that the caller may see, in the order of the range and as many as it wants.
 * The rows come sorted, so that whether one may be seen is asked until there are enough, and not of all.
 */
export function visibleMatches(source: Source, search: Search, range: Range): Prisma.Sql {
  return Prisma.sql`(
    SELECT s.created_at, s.position, s.message_id FROM ${source(search, range)} ${messageOf(search)}
    WHERE ${visibleMatch(search)} ${range.beyond}
    ORDER BY ${range.order} LIMIT ${range.limit}) AS s`
}

/** A condition on `s` and its message. */
export function visibleMatch({ visible, within }: Search): Prisma.Sql {
  return Prisma.sql`m.deleted_at IS NULL AND ${visible} ${within}`
}

/** Joins the message of `s` as `m`. */
export function messageOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id OFFSET 0) AS m`
}
