import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID, prefixOf } from '../../platform/ids.ts'
import { query } from '../../platform/query.ts'
import type { LockedThread } from '../../threads/lock-thread.ts'
import { ownRead } from '../reads/own-read.ts'
import { notedForSearch } from '../search/unindexed.ts'

/** What a system message tells. */
export type ThreadEvent =
  | { type: 'subjectChanged'; subject: string | null }
  | { type: 'recipientsAdded' | 'recipientsRemoved'; recipientIDs: string[] }
  | {
      type:
        | 'closed'
        | 'reopened'
        | 'recipientsLocked'
        | 'recipientsUnlocked'
        | 'repliesTurnedOff'
        | 'repliesTurnedOn'
    }

const sentences = {
  closed: 'Closed the thread.',
  reopened: 'Reopened the thread.',
  recipientsLocked: 'Locked the recipients.',
  recipientsUnlocked: 'Unlocked the recipients.',
  repliesTurnedOff: 'Turned replies off.',
  repliesTurnedOn: 'Turned replies on.',
}

/**
 * Writes a system message by the caller for each event into a thread that it has locked, and gives their IDs. Their
 * text says the same in Markdown, for those who do not read events.
 */
export async function appendEvents(
  ctx: Context<UserActor>,
  { workspaceID, id: threadID }: LockedThread,
  events: readonly ThreadEvent[],
): Promise<string[]> {
  if (events.length === 0) return []
  const { userID } = ctx.actor
  const lines = events.map((event) => ({
    id: newID('msg'),
    event,
    text: textOf(event, ctx.config.mentionSchemes[0]),
  }))
  await query(
    ctx.db,
    Prisma.sql`
    WITH created AS (
      INSERT INTO messages (workspace_id, id, thread_id, position, author_id, text, event, created_at, author_reads)
      SELECT ${workspaceID}, line.id, t.id, t.last_position + line.number, ${userID}, line.text, line.event,
        greatest(t.last_activity_at, clock_timestamp()), TRUE
      FROM threads t CROSS JOIN unnest(
        ${lines.map(({ id }) => id)}::text[], ${lines.map(({ text }) => text)}::text[],
        ${lines.map(({ event }) => JSON.stringify(event))}::jsonb[]
      ) WITH ORDINALITY AS line (id, text, event, number)
      WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID}
      RETURNING workspace_id, id, thread_id, position, author_id, created_at
    )${ownRead([userID])}, written AS (
      SELECT workspace_id, id FROM created ${events.some(({ type }) => type === 'subjectChanged') ? Prisma.sql`UNION ALL ${firstMessageOf(workspaceID, threadID)}` : Prisma.empty}
    )${notedForSearch()}
    UPDATE threads t
    SET last_position = last.position, last_activity_at = last.created_at, changes = t.changes + 1
    FROM (SELECT max(position) AS position, max(created_at) AS created_at FROM created) last
    WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID}`,
  )
  return lines.map(({ id }) => id)
}

/** It is found by the subject, and so is to be indexed anew with it. */
function firstMessageOf(workspaceID: string, threadID: string): Prisma.Sql {
  return Prisma.sql`SELECT workspace_id, id FROM messages
      WHERE workspace_id = ${workspaceID} AND thread_id = ${threadID} AND position = 1`
}

/** No name stands in it but the subject, and of groups, which may be hidden from a reader, not even the ID. */
function textOf(event: ThreadEvent, scheme: string): string {
  if (event.type === 'subjectChanged') {
    return event.subject === null
      ? 'Took the subject away.'
      : `Changed the subject to “${event.subject.replace(/[^\p{L}\p{N}\s]/gu, escaped)}”.`
  }
  if (!('recipientIDs' in event)) return sentences[event.type]
  const mentions = event.recipientIDs.map((id) =>
    prefixOf(id) === 'usr' ? `[someone](${scheme}:${id})` : 'a group',
  )
  return `${event.type === 'recipientsAdded' ? 'Added' : 'Removed'} ${mentions.join(', ')}.`
}

/** Markdown takes a backslash before punctuation of ASCII only. */
function escaped(mark: string): string {
  return mark.charCodeAt(0) < 128 ? `\\${mark}` : mark
}
