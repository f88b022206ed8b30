import type { UserActor } from '../../context.ts'
import type { Bounds } from '../../database/batches/batcher.ts'
import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

export type Place = { workspaceID: string; threadID: string }

/** A message to write. The statement that writes it makes the checks that are left. */
export type Draft = {
  authorID: string
  /** It must be active when the message is written. */
  webhook: UserActor['webhook']
  text: string
  uniqueBy: string | null
  /** The files to attach. With null, an update keeps those that are attached. */
  fileIDs: readonly string[] | null
}

/** Returns what is left to write when two drafts update the same message. Null in the later one keeps the value. */
export function updatedDraft(earlier: Draft, later: Draft): Draft {
  const changes = Object.entries(later).filter(([, value]) => value !== null)
  return { ...earlier, ...Object.fromEntries(changes) }
}

type DraftColumn = {
  name: string
  type: string
  /** The value that is stored. With null, an update keeps the old value, and an insertion stores `missing`. */
  value: (draft: Draft) => unknown
  isUpdated: boolean
  missing?: Prisma.Sql
}

/** The columns of a message that come from its draft. Every statement that writes drafts stores all of them. */
export const draftColumns: readonly DraftColumn[] = [
  { name: 'text', type: 'text', value: ({ text }) => text, isUpdated: true },
  { name: 'unique_by', type: 'text', value: ({ uniqueBy }) => uniqueBy, isUpdated: false },
  {
    name: 'attachment_count',
    type: 'smallint',
    value: ({ fileIDs }) => fileIDs?.length ?? null,
    isUpdated: true,
    missing: Prisma.sql`0`,
  },
]

export const draftColumnNames = draftColumns.map(({ name }) => name)

/** The values of these columns for an INSERT, from rows that have the columns. */
export const insertedColumns = Prisma.join(
  draftColumns.map(({ name, missing }) =>
    missing ? Prisma.sql`coalesce(${Prisma.raw(name)}, ${missing}) AS ${Prisma.raw(name)}` : Prisma.raw(name),
  ),
)

/** `created` is false if an existing message was updated. */
export type WriteResult = { messageID: string; created: boolean }

export const messageBatches: Bounds<{ draft: Draft }> = {
  running: 2,
  evenly: true,
  calls: 128,
  size: { max: 1_000_000, of: ({ draft }) => draft.text.length },
}

export type FileColumns<Column> = { lineIDs: Column; positions: Column; fileIDs: Column }

export function fileColumns(
  lines: readonly { id: string; fileIDs: readonly string[] | null }[],
): FileColumns<unknown[]> {
  const files = lines.flatMap(({ id, fileIDs }) =>
    (fileIDs ?? []).map((fileID, index) => [id, index + 1, fileID]),
  )
  return {
    lineIDs: files.map(([lineID]) => lineID),
    positions: files.map(([, position]) => position),
    fileIDs: files.map(([, , fileID]) => fileID),
  }
}

/**
 * Returns a CTE that attaches files to the messages of `written (workspace_id, line_id, id)`. With `after`, they can
 * take the places of attachments that `detached` deletes first.
 */
export function attachedFiles(
  { lineIDs, positions, fileIDs }: FileColumns<Value>,
  { after }: { after?: 'detached' } = {},
): Prisma.Sql {
  return Prisma.sql`, attached AS (
    INSERT INTO attachments (workspace_id, message_id, position, file_id)
    SELECT written.workspace_id, written.id, file.position, file.id
    FROM unnest(${lineIDs}::text[], ${positions}::smallint[], ${fileIDs}::text[]) AS file (line_id, position, id)
    JOIN written USING (line_id)
    ${after ? Prisma.sql`WHERE (SELECT count(*) FROM detached) >= 0` : Prisma.empty})`
}
