import type { UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { isAfterFloor, personFloor } from './floors.ts'
import { calledAgain, joinKnown, readStateOf } from './read-state.ts'

/**
 * Returns a condition on rows `t` of threads: the thread has messages of other users that the user has not read, or
 * that called again since. The rows of the thread and of `reads` decide for most threads, the last message for most
 * others. Only the rest needs the whole read state.
 */
export function isUnread(reader: UserActor): Prisma.Sql {
  const { userID } = reader
  return Prisma.sql`EXISTS (
    SELECT FROM (SELECT) AS one ${joinKnown({ workspaceID: Prisma.sql`t.workspace_id`, userID })}
    WHERE (t.last_activity_at > ${personFloor(reader)} OR known.kept_at IS NOT NULL)
      AND (t.last_position > coalesce(known.read_up_to + known.own_total - known.own_read, 0)
        OR t.called_at > coalesce(known.calls_read_up_to, '-infinity'))
      AND (${isLastMessageUnread(reader)} OR EXISTS (
        SELECT FROM messages m
        WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id AND m.position = t.last_position
          AND m.position > coalesce(known.read_up_to, 0) AND m.author_id <> ${userID} AND m.event IS NULL
          AND m.deleted_at IS NULL AND ${isAfterFloor(reader, Prisma.sql`m.created_at`)}
        OFFSET 0
      ) OR EXISTS (
        SELECT FROM (SELECT t.* OFFSET 0) AS t ${readStateOf(reader)}
        WHERE state.unread_after > 0 OR EXISTS (SELECT ${calledAgain(reader)}))))`
}

// Is true only if the last message is unread, and is known without the message: the last activity is its time, the user
// has written nothing after the read position, and nothing there is uncounted.
function isLastMessageUnread(reader: UserActor): Prisma.Sql {
  return Prisma.sql`(t.called_at IS NULL AND t.last_position > coalesce(known.read_up_to, 0)
        AND known.own_total IS NOT DISTINCT FROM known.own_read
        AND ${isAfterFloor(reader, Prisma.sql`t.last_activity_at`)}
        AND NOT EXISTS (
          SELECT FROM messages m
          WHERE m.workspace_id = t.workspace_id AND m.thread_id = t.id AND (m.event IS NOT NULL OR m.deleted_at IS NOT NULL)
          OFFSET 0))`
}
