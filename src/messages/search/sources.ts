import { Prisma } from '../../generated/prisma/client.ts'
import type { Range } from '../../platform/paging.ts'
import type { Search } from './search.ts'

/** A part of a FROM: rows `s` of documents that match, in the order of the range, of messages that may be hidden. */
export type Source = (search: Search, range: Range) => Prisma.Sql

/** From the index of words: costs as much as there are matches, whatever there is besides. For words that are rare. */
export const fromIndex: Source = ({ workspaceID, matches }, { order }) => Prisma.sql`(
  SELECT s.created_at, s.position, s.message_id, s.edited_at FROM searchable_messages s
  WHERE ${matches} AND s.workspace_id || '' = ${workspaceID}
  ORDER BY ${order} OFFSET 0) AS s`

/**
 * Along the messages by their time, as far as it takes to fill a page, and not past so many. For words that are in many
 * messages, whose matches would take long to gather.
 */
export const alongTime =
  (messages: number): Source =>
  ({ workspaceID, matches, within }, { beyond, order }) =>
    Prisma.sql`(
  SELECT s.created_at, s.position, s.message_id, s.edited_at FROM (
    SELECT * FROM searchable_messages s
    WHERE s.workspace_id = ${workspaceID} ${within} ${beyond}
    ORDER BY ${order} LIMIT ${messages}
  ) AS s
  WHERE ${matches}) AS s`

/** From the threads that come into question, given by their IDs in SQL, where they have few messages. */
export const fromThreads =
  (ids: Prisma.Sql): Source =>
  ({ workspaceID, matches }, { order }) =>
    Prisma.sql`(
  SELECT s.created_at, s.position, s.message_id, s.edited_at
  FROM (SELECT DISTINCT id FROM (${ids}) AS seen) AS few
  CROSS JOIN LATERAL (
    SELECT id, created_at, position FROM messages WHERE workspace_id = ${workspaceID} AND thread_id = few.id OFFSET 0) AS m
  CROSS JOIN LATERAL (
    SELECT * FROM searchable_messages
    WHERE workspace_id = ${workspaceID} AND created_at = m.created_at AND position = m.position AND message_id = m.id
    OFFSET 0) AS s
  WHERE ${matches}
  ORDER BY ${order} OFFSET 0) AS s`

/**
 * A part of a FROM: rows `s` of the matches that the caller may see, in the order of the range and as many as it wants.
 * The rows come sorted, so that whether one may be seen is asked until there are enough, and not of all.
 */
export function visibleMatches(source: Source, search: Search, range: Range): Prisma.Sql {
  return Prisma.sql`(
    SELECT s.created_at, s.position, s.message_id FROM ${source(search, range)}
    ${messageOf(search)}
    CROSS JOIN LATERAL (
      SELECT * FROM threads WHERE workspace_id = ${search.workspaceID} AND id = m.thread_id OFFSET 0) AS t
    WHERE m.deleted_at IS NULL AND ${search.visible} ${search.within} ${range.beyond}
    ORDER BY ${range.order} LIMIT ${range.limit}) AS s`
}

/** Joins the message of `s` as `m`. */
export function messageOf({ workspaceID }: Search): Prisma.Sql {
  return Prisma.sql`CROSS JOIN LATERAL (
    SELECT * FROM messages WHERE workspace_id = ${workspaceID} AND id = s.message_id OFFSET 0) AS m`
}
