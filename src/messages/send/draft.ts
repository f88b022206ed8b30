import type { z } from 'zod'
import type { UserActor } from '../../context.ts'
import type { BatchLimits } from '../../database/batches/batcher.ts'
import type { Value } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { MessageInput } from '../../generated/resolver-types.ts'
import type { messageInput } from '../fields.ts'

export type ThreadKey = { workspaceID: string; threadID: string }

type MessageFields = z.output<ReturnType<typeof messageInput>>

/** A message to write. The statement that writes it makes the remaining checks. */
export type Draft = Omit<MessageFields, 'attachments' | 'uniqueBy'> & {
  authorID: string
  /** It must be active when the message is written. */
  webhook: UserActor['webhook']
  uniqueBy: string | null
  /** The files to attach. If null, an update keeps the attached files. */
  fileIDs: readonly string[] | null
}

/** Merges two drafts of the same message. Values that the later draft does not set keep their earlier values. */
export function mergeDrafts(earlier: Draft, later: Draft): Draft {
  const changes = Object.entries(later).filter(([, value]) => value != null)
  return { ...earlier, ...Object.fromEntries(changes) }
}

type DraftColumn = {
  name: string
  type: string
  /** The value to store. If null, an update keeps the old value, and an insertion stores `missing`. */
  value: (draft: Draft) => unknown
  isUpdated: boolean
  missing?: Prisma.Sql
}

// The compiler requires a column for each field that a client can send, because a field without a column would be lost.
const columnsByField = {
  text: { name: 'text', type: 'text', value: ({ text }) => text, isUpdated: true },
  uniqueBy: { name: 'unique_by', type: 'text', value: ({ uniqueBy }) => uniqueBy, isUpdated: false },
  attachments: {
    name: 'attachment_count',
    type: 'smallint',
    value: ({ fileIDs }) => fileIDs?.length ?? null,
    isUpdated: true,
    missing: Prisma.sql`0`,
  },
} satisfies Record<keyof MessageFields | keyof MessageInput, DraftColumn>

/** The columns of a message that come from its draft. Statements may omit columns that have their default values. */
export const draftColumns: readonly DraftColumn[] = Object.values(columnsByField)

export const draftColumnNames = draftColumns.map(({ name }) => name)

/** A SELECT list of `draftColumns` for an INSERT. The selected rows must have columns with these names. */
export const insertedDraftColumns = Prisma.join(
  draftColumns.map(({ name, missing }) =>
    missing ? Prisma.sql`coalesce(${Prisma.raw(name)}, ${missing}) AS ${Prisma.raw(name)}` : Prisma.raw(name),
  ),
)

/** `created` is false if an existing message was updated. */
export type WriteResult = { messageID: string; created: boolean }

/** Why a message was not written. `changed` means that another process just changed the thread, the message or a key. */
export type Refusal = 'webhook_inactive' | 'not_visible' | 'replies_off' | 'changed'

export const messageBatches: BatchLimits<{ draft: Draft }> = {
  running: 2,
  waitsForEqualBatch: true,
  calls: 128,
  size: { max: 1_000_000, of: ({ draft }) => draft.text.length },
}

export type AttachmentArrays<Column> = { draftIDs: Column; positions: Column; fileIDs: Column }

export function attachmentArrays(
  drafts: readonly { id: string; fileIDs: readonly string[] | null }[],
): AttachmentArrays<unknown[]> {
  const files = drafts.flatMap(({ id, fileIDs }) =>
    (fileIDs ?? []).map((fileID, index) => [id, index + 1, fileID]),
  )
  return {
    draftIDs: files.map(([draftID]) => draftID),
    positions: files.map(([, position]) => position),
    fileIDs: files.map(([, , fileID]) => fileID),
  }
}

/** Returns a CTE that attaches files to the messages of `written (workspace_id, draft_id, id)`. */
export function attachFiles(
  { draftIDs, positions, fileIDs }: AttachmentArrays<Value>,
  { after }: { after?: 'detached' } = {},
): Prisma.Sql {
  // Always true. Makes PostgreSQL delete the old attachments first, because the new ones can have the same positions.
  const condition = after ? Prisma.sql`WHERE (SELECT count(*) FROM detached) >= 0` : Prisma.empty
  return Prisma.sql`, attached AS (
    INSERT INTO attachments (workspace_id, message_id, position, file_id)
    SELECT written.workspace_id, written.id, file.position, file.id
    FROM unnest(${draftIDs}::text[], ${positions}::smallint[], ${fileIDs}::text[]) AS file (draft_id, position, id)
    JOIN written USING (draft_id) ${condition})`
}
