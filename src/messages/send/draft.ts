import type { z } from 'zod'
import type { WebhookState } from '../../context.ts'
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
  /** Set if a key (`threadBy`) found the thread. Then a message can reopen it. */
  byKey?: ThreadKeyUse | undefined
  /** Whether the caller may use the rights of an administrator of the thread. */
  administers?: boolean
  /** Writes nothing if no message has this `uniqueBy`. */
  onlyUpdates?: boolean
  /** Refuses `threadClosed` and `threadState` where the caller may not change the thread. Otherwise ignores them. */
  isStrict?: boolean
  /** It must be active when the message is written. */
  webhook: WebhookState | undefined
  uniqueBy: string | null
  /** The app or personal access token with which a person writes. */
  originID: string | null
  /** The IDs of the users and groups that the text mentions. */
  mentionIDs: readonly string[]
  /** The files to attach. If null, an update keeps the attached files. */
  fileIDs: readonly string[] | null
}

/**
 * Merges two drafts of the same message. Values that the later draft does not set keep their earlier values. The origin
 * is the one of the earlier draft.
 */
export function mergeDrafts(earlier: Draft, later: Draft): Draft {
  const changes = Object.entries(later).filter(([, value]) => value != null)
  return { ...earlier, ...Object.fromEntries(changes), originID: earlier.originID }
}

/** `restSeconds` is how long a key keeps its closed thread. `reopens` says that the thread is known to be closed. */
export type ThreadKeyUse = { restSeconds: number | null; reopens: boolean }

type DraftColumn = {
  name: string
  type: string
  /** The value to store. If null, an update keeps the old value, and an insertion stores `missing`. */
  value: (draft: Draft) => unknown
  isUpdated: boolean
  missing?: Prisma.Sql
  /** Only the statement for messages with effects writes it. */
  isExtra?: true
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
  version: {
    name: 'version',
    type: 'bigint',
    value: ({ version }) => version ?? null,
    isUpdated: true,
    isExtra: true,
  },
  state: { name: 'state', type: 'text', value: ({ state }) => state ?? null, isUpdated: true, isExtra: true },
  senderName: {
    name: 'sender_name',
    type: 'text',
    value: ({ senderName }) => senderName ?? null,
    isUpdated: true,
    isExtra: true,
  },
  allowMentions: {
    name: 'allow_mentions',
    type: 'boolean',
    value: ({ allowMentions }) => allowMentions ?? null,
    isUpdated: true,
    missing: Prisma.sql`TRUE`,
    isExtra: true,
  },
  plain: {
    name: 'is_plain',
    type: 'boolean',
    value: ({ plain }) => plain ?? null,
    isUpdated: true,
    missing: Prisma.sql`FALSE`,
    isExtra: true,
  },
  buttons: {
    name: 'buttons',
    type: 'jsonb',
    value: ({ buttons }) => (buttons == null ? null : JSON.stringify(buttons)),
    isUpdated: true,
    isExtra: true,
  },
} satisfies Record<Exclude<keyof MessageFields | keyof MessageInput, EffectField>, DraftColumn>

/** Fields of a call that have an effect when it is written, and are not stored as they are. */
type EffectField = 'notify' | 'threadClosed' | 'threadState'

const fieldColumns: readonly DraftColumn[] = Object.values(columnsByField)

const originColumn: DraftColumn = {
  name: 'origin_id',
  type: 'text',
  value: ({ originID }) => originID,
  isUpdated: false,
}

/** The columns of a message that come from its draft. */
export const draftColumns = [...fieldColumns, originColumn]

/** The columns that a message without effects has. The others have their default values. */
export const plainColumns = fieldColumns.filter(({ isExtra }) => !isExtra)

/** The columns of a message without effects that a person wrote with an app or a personal access token. */
export const columnsWithOrigin = [...plainColumns, originColumn]

/** Whether a draft needs the statement that writes all columns and changes the thread. */
export function hasEffects(draft: Draft): boolean {
  return (
    draft.byKey?.reopens === true ||
    draft.onlyUpdates === true ||
    draft.mentionIDs.length > 0 ||
    draft.notify != null ||
    draft.threadClosed != null ||
    draft.threadState != null ||
    fieldColumns.some(({ isExtra, value }) => isExtra && value(draft) !== null)
  )
}

/** A SELECT list of columns for an INSERT. The rows `source` must have columns with these names. */
export function insertedColumns(columns: readonly DraftColumn[], source?: string): Prisma.Sql {
  return Prisma.join(
    columns.map(({ name, missing }) => {
      const column = Prisma.raw(source ? `${source}.${name}` : name)
      return missing ? Prisma.sql`coalesce(${column}, ${missing}) AS ${Prisma.raw(name)}` : column
    }),
  )
}

/**
 * `created` is false if an existing message was updated. `isStale` is true if the message has a higher version, and
 * nothing was changed. `ignored` has the names of the fields that do not apply to the thread.
 */
export type WriteResult = { messageID: string; created: boolean; isStale: boolean; ignored: string[] }

/** Why a message was not written. `changed` means that another process just changed the thread, the message or a key. */
export type Refusal =
  | 'webhook_inactive'
  | 'not_visible'
  | 'replies_off'
  | 'may_not_change'
  | 'nothing_to_update'
  | 'changed'

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
