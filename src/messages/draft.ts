import type { UserActor } from '../context.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Bounds } from '../platform/joining.ts'
import type { Value } from '../platform/query.ts'

export type Place = { workspaceID: string; threadID: string }

/** A message to write, with everything checked but what the statement that writes it checks. */
export type Draft = {
  authorID: string
  /** The webhook that it comes through, which has to stand when it is written. */
  webhook: UserActor['webhook']
  text: string
  uniqueBy: string | null
  /** The files to attach. With null an update keeps those that are attached. */
  fileIDs: readonly string[] | null
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

/** In SQL, the values of these columns for a message that is inserted, from rows that have them. */
export const insertedColumns = Prisma.join(
  draftColumns.map(({ name, missing }) =>
    missing ? Prisma.sql`coalesce(${Prisma.raw(name)}, ${missing}) AS ${Prisma.raw(name)}` : Prisma.raw(name),
  ),
)

/** What became of a draft; `created` is false for a message that was there and got its text. */
export type Written = { messageID: string; created: boolean }

/** How calls that write messages are batched: two statements of a lane in a pipeline. */
export const messageBatches: Bounds<{ draft: Draft }> = {
  running: 2,
  evenly: true,
  calls: 128,
  size: { max: 1_000_000, of: ({ draft }) => draft.text.length },
}

export type FileColumns<Column> = { lineIDs: Column; positions: Column; fileIDs: Column }

/** The files of messages, one by one, in the order given. */
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
 * A part of a statement: the attachments of the messages that `written (workspace_id, line_id, id)` holds. Those that come
 * `after` old ones were detached may take their places.
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
