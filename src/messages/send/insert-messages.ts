import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { addToOutbox } from '../add-to-outbox.ts'
import { authorReads, countOwnMessages } from '../reads/count-own-messages.ts'
import { type AttachmentArrays, attachFiles } from './draft.ts'

const requiredColumns = ['workspace_id', 'id', 'thread_id', 'position', 'author_id', 'created_at']

type Insertion = {
  columns: readonly string[]
  /** The authors whose own messages are counted in `reads`: app users and people. Webhook users read nothing. */
  countedAuthorIDs?: Value | undefined
  files?: AttachmentArrays<Value> | undefined
  /** Part of a SELECT that adds rows to `written`: messages that were updated, or that must be indexed again. */
  alsoWritten?: Prisma.Sql
  /** Whether new attachments have the positions of those that the CTE `detached` deleted. */
  replacesFiles?: boolean
  isOne?: boolean
}

/**
 * Returns the CTEs that end every statement that inserts messages. They insert the rows of `new_message` (`created` has
 * the inserted rows), count them as own messages of their authors, attach files, and add `written` to the outbox.
 */
export function insertMessages({
  columns,
  countedAuthorIDs,
  files,
  alsoWritten = Prisma.empty,
  replacesFiles = false,
  isOne = false,
}: Insertion): Prisma.Sql {
  const names = Prisma.raw([...requiredColumns, ...columns].join(', '))
  const outboxRows = isOne ? Prisma.sql`SELECT workspace_id, ARRAY[id] FROM written` : undefined
  return Prisma.sql`, created AS (
      INSERT INTO messages (${names} ${countedAuthorIDs ? Prisma.sql`, author_reads` : Prisma.empty})
      SELECT ${names} ${countedAuthorIDs ? Prisma.sql`, ${authorReads(Prisma.sql`author_id`, countedAuthorIDs)}` : Prisma.empty}
      FROM new_message
      RETURNING workspace_id, id, thread_id, position, author_id, created_at
    )${countedAuthorIDs ? countOwnMessages(countedAuthorIDs) : Prisma.empty}, written (workspace_id, draft_id, id, created) AS (
      SELECT workspace_id, id, id, TRUE FROM created ${alsoWritten}
    )${files ? attachFiles(files, replacesFiles ? { after: 'detached' } : {}) : Prisma.empty}${addToOutbox(outboxRows)}`
}
