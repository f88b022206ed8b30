import type { Value } from '../../database/query.ts'
import { notingEvents } from '../../events/note-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type MentionArrays, showsMentions, writeMentions } from '../mentions/write-mentions.ts'
import { followThreads } from '../mine/follows.ts'
import { authorReads, countOwnMessages } from '../reads/count-own-messages.ts'
import { type AttachmentArrays, attachFiles } from './draft.ts'

const requiredColumns = ['workspace_id', 'id', 'thread_id', 'position', 'author_id', 'created_at']

type Insertion = {
  columns: readonly string[]
  /** The authors whose own messages are counted in `reads`: app users and people. Webhook users read nothing. */
  countedAuthorIDs?: Value | undefined
  files?: AttachmentArrays<Value> | undefined
  mentions?: MentionArrays<Value> | undefined
  /** Part of a SELECT that adds the updated messages to those whose mentions are written. */
  alsoMentioning?: Prisma.Sql
  /** Whether the authors begin to follow their threads. */
  beginsFollowing?: boolean
  /** Whether the messages begin the threads that the statement creates. */
  isNewThread?: boolean
  /** Part of a SELECT that adds the updated messages to `written`. */
  alsoWritten?: Prisma.Sql
  /** Part of a SELECT with the events that precede the message events. Null if the caller notes all events itself. */
  earlierEvents?: Prisma.Sql | null
  /** Part of a SELECT with the events that follow the message events. */
  laterEvents?: Prisma.Sql
  /** Whether new attachments can have the positions of attachments that the CTE `detached` deletes. */
  replacesFiles?: boolean
}

/**
 * Returns CTEs that insert `new_message`, count own messages, attach files, store mentions, make people follow threads,
 * and note the events of `written`.
 */
export function insertMessages({
  columns,
  countedAuthorIDs,
  files,
  mentions,
  alsoMentioning = Prisma.empty,
  beginsFollowing = true,
  isNewThread = false,
  alsoWritten = Prisma.empty,
  earlierEvents = Prisma.empty,
  laterEvents = Prisma.empty,
  replacesFiles = false,
}: Insertion): Prisma.Sql {
  const names = Prisma.raw([...requiredColumns, ...columns].join(', '))
  const noted = earlierEvents
    ? notingEvents(Prisma.sql`${earlierEvents} ${eventsOfWritten} ${laterEvents}`)
    : Prisma.empty
  return Prisma.sql`, created AS (
      INSERT INTO messages (${names} ${countedAuthorIDs ? Prisma.sql`, author_reads` : Prisma.empty})
      SELECT ${names} ${countedAuthorIDs ? Prisma.sql`, ${authorReads(Prisma.sql`author_id`, countedAuthorIDs)}` : Prisma.empty}
      FROM new_message
      RETURNING workspace_id, id, thread_id, position, author_id, created_at, ${showsMentions('messages')}
    )${countedAuthorIDs ? countOwnMessages(countedAuthorIDs) : Prisma.empty}, written (workspace_id, draft_id, id, created, thread_id) AS (
      SELECT workspace_id, id, id, TRUE, thread_id FROM created ${alsoWritten}
    )${files ? attachFiles(files, replacesFiles ? { after: 'detached' } : {}) : Prisma.empty}${
      mentions
        ? writeMentions(mentions, Prisma.sql`${mentioningCreated} ${alsoMentioning}`, { isNewThread })
        : Prisma.empty
    }${followThreads({ hasOwn: beginsFollowing && countedAuthorIDs !== undefined, hasMentions: mentions !== undefined, isNewThread })}${noted}`
}

const mentioningCreated = Prisma.sql`SELECT workspace_id, id AS draft_id, thread_id, position, created_at AS at, FALSE AS has_text, FALSE AS calls,
        shows_mentions FROM created`

const eventsOfWritten = Prisma.sql`SELECT workspace_id, CASE WHEN created THEN 'message.created' ELSE 'message.updated' END, thread_id, id
        FROM written`
