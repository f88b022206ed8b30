import type { Context, UserActor } from '../../context.ts'
import { query } from '../../database/query.ts'
import { type EventNote, noteEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { newID, prefixOf } from '../../platform/ids.ts'
import type { LockedThread } from '../../threads/lock-thread.ts'
import { insertMessages } from '../send/insert-messages.ts'

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

/** Appends a system message for each event to a thread that the transaction has locked. Returns the messages' IDs. */
export async function appendEvents(
  ctx: Context<UserActor>,
  { workspaceID, id: threadID, subject }: LockedThread,
  events: readonly ThreadEvent[],
): Promise<string[]> {
  if (events.length === 0) return []
  const { userID, webhook, programID: originID = null } = ctx.actor
  const lines = events.map((event) => ({
    id: newID('msg'),
    event,
    text: textOf(event, ctx.config.mentionSchemes[0]),
  }))
  await query(
    ctx.db,
    Prisma.sql`
    WITH new_message AS (
      SELECT t.workspace_id, line.id, t.id AS thread_id, t.last_position + line.number AS position,
        ${userID}::text AS author_id, greatest(t.last_activity_at, clock_timestamp()) AS created_at, line.text, line.event,
        ${originID}::text AS origin_id
      FROM threads t CROSS JOIN unnest(
        ${lines.map(({ id }) => id)}::text[], ${lines.map(({ text }) => text)}::text[],
        ${lines.map(({ event }) => JSON.stringify(event))}::jsonb[]
      ) WITH ORDINALITY AS line (id, text, event, number)
      WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID}
    )${insertMessages({
      columns: ['text', 'event', 'origin_id'],
      countedAuthorIDs: webhook ? undefined : [userID],
      beginsFollowing: false,
      earlierEvents: null,
    })}
    UPDATE threads t
    SET last_position = last.position, last_activity_at = last.created_at, changes = t.changes + 1
    FROM (SELECT max(position) AS position, max(created_at) AS created_at FROM created) last
    WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID}`,
  )
  // The change and the message that reports it are one event.
  await noteEvents(
    ctx.db,
    workspaceID,
    lines.map(({ id, event }) => ({ ...noteOf(event, subject), threadID, objectID: id })),
  )
  return lines.map(({ id }) => id)
}

function noteOf(event: ThreadEvent, previousSubject: string | null): Pick<EventNote, 'type' | 'details'> {
  if (event.type === 'subjectChanged') return { type: 'thread.updated', details: { previousSubject } }
  if (!('recipientIDs' in event)) return { type: 'thread.updated' }
  const type = event.type === 'recipientsAdded' ? 'recipients.added' : 'recipients.removed'
  return { type, details: { recipientIDs: event.recipientIDs } }
}

// Returns Markdown for clients that do not read events. Contains no names. Contains no IDs of groups, because a group
// may be hidden from some users.
function textOf(event: ThreadEvent, scheme: string): string {
  if (event.type === 'subjectChanged') {
    return event.subject === null
      ? 'Removed the subject.'
      : `Changed the subject to “${event.subject.replace(/[^\p{L}\p{N}\s]/gu, escapePunctuation)}”.`
  }
  if (!('recipientIDs' in event)) return sentences[event.type]
  const mentions = event.recipientIDs.map((id) =>
    prefixOf(id) === 'usr' ? `[someone](${scheme}:${id})` : 'a group',
  )
  return `${event.type === 'recipientsAdded' ? 'Added' : 'Removed'} ${mentions.join(', ')}.`
}

// Markdown allows a backslash before ASCII punctuation only.
function escapePunctuation(mark: string): string {
  return mark.charCodeAt(0) < 128 ? `\\${mark}` : mark
}
