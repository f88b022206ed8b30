import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { authorReads, ownRead } from '../reads/own-read.ts'
import { notedForSearch } from '../search/unindexed.ts'
import { attachedFiles, type FileColumns } from './draft.ts'

const placed = ['workspace_id', 'id', 'thread_id', 'position', 'author_id', 'created_at']

type Insertion = {
  /** The other columns that `new_message` has. */
  columns: readonly string[]
  /** The authors whose own messages are counted: app users and people. Webhooks read nothing. */
  readerIDs?: Value | undefined
  files?: FileColumns<Value> | undefined
  /** Part of a SELECT that adds rows to `written`: messages that were updated, or that must be indexed again. */
  alsoWritten?: Prisma.Sql
  /** Whether new attachments take the places of those that the CTE `detached` deleted. */
  replacesFiles?: boolean
  isOne?: boolean
}

/**
 * Returns the CTEs that end every statement that inserts messages. They insert the CTE `new_message` as `created`,
 * count it as read by the authors, attach files, and add all of `written` to the search's outbox.
 */
export function insertMessages({
  columns,
  readerIDs,
  files,
  alsoWritten = Prisma.empty,
  replacesFiles = false,
  isOne = false,
}: Insertion): Prisma.Sql {
  const names = Prisma.raw([...placed, ...columns].join(', '))
  const notes = isOne ? Prisma.sql`SELECT workspace_id, ARRAY[id] FROM written` : undefined
  return Prisma.sql`, created AS (
      INSERT INTO messages (${names} ${readerIDs ? Prisma.sql`, author_reads` : Prisma.empty})
      SELECT ${names} ${readerIDs ? Prisma.sql`, ${authorReads(Prisma.sql`author_id`, readerIDs)}` : Prisma.empty}
      FROM new_message
      RETURNING workspace_id, id, thread_id, position, author_id, created_at
    )${readerIDs ? ownRead(readerIDs) : Prisma.empty}, written (workspace_id, line_id, id, created) AS (
      SELECT workspace_id, id, id, TRUE FROM created ${alsoWritten}
    )${files ? attachedFiles(files, replacesFiles ? { after: 'detached' } : {}) : Prisma.empty}${notedForSearch(notes)}`
}
