import { canPost } from '../../apps/webhooks/access.ts'
import { withShortWaits } from '../../database/batches/write-queues.ts'
import { numberedRows, template } from '../../database/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { mentionArrays, showsMentions } from '../mentions/write-mentions.ts'
import {
  attachmentArrays,
  columnsWithOrigin,
  type Draft,
  draftColumns,
  hasEffects,
  insertedColumns,
  plainColumns,
  type Refusal,
  type ThreadKey,
} from './draft.ts'
import {
  changedThread,
  type DraftArray,
  decisions,
  effectColumns,
  effectsOnThread,
  eventsOfThreads,
  fateOfDraft,
  isNewMessage,
  isPermitted,
  isThreadChanged,
  keepsClosing,
  nothingToUpdate,
  threadOfWriter,
} from './effects.ts'
import { insertMessages } from './insert-messages.ts'

export type Writer = ThreadKey & Pick<Draft, 'authorID' | 'webhook' | 'administers'> & { number: number }
export type DraftRow = { id: string; draft: Draft; writer: Writer; isEdited: boolean }
/** A message that was written, or the reason why no message of a writer was written. */
export type Outcome = {
  draftID: string | null
  id: string
  created: boolean
  writerNumber: number | null
  refusal: Refusal | null
  isStale: boolean
  keepsClosing: boolean
}
type Append = { draftRows: DraftRow[]; writers: Writer[]; isSplitQueue: boolean }

function variantOf({ draftRows }: Append) {
  const isEffective = draftRows.some(({ draft }) => hasEffects(draft))
  return {
    hasKeys: isEffective || draftRows.some(({ draft }) => draft.uniqueBy !== null),
    hasCountedAuthors: isEffective || draftRows.some(({ draft }) => !draft.webhook),
    hasFiles: isEffective || draftRows.some(({ draft }) => Boolean(draft.fileIDs?.length)),
    hasOrigins: !isEffective && draftRows.some(({ draft }) => draft.originID !== null),
    isEffective,
  }
}

type Variant = ReturnType<typeof variantOf>

const countedAuthorIDs = ({ writers }: Append) =>
  writers.filter(({ webhook }) => !webhook).map(({ authorID }) => authorID)
const filesOf = ({ draftRows }: Append) =>
  attachmentArrays(draftRows.map(({ id, draft }) => ({ id, fileIDs: draft.fileIDs })))
const files = {
  draftIDs: (append: Append) => filesOf(append).draftIDs,
  positions: (append: Append) => filesOf(append).positions,
  fileIDs: (append: Append) => filesOf(append).fileIDs,
}
const mentionsOf = ({ draftRows }: Append) =>
  mentionArrays(draftRows.map(({ id, draft }) => ({ id, mentionIDs: draft.mentionIDs })))
const mentions = {
  draftIDs: (append: Append) => mentionsOf(append).draftIDs,
  targetIDs: (append: Append) => mentionsOf(append).targetIDs,
}
const workspaceID = Prisma.sql`w.workspace_id`
const columnsOf = ({ isEffective, hasOrigins }: Variant) =>
  isEffective ? draftColumns : hasOrigins ? columnsWithOrigin : plainColumns

type ArrayColumn = [type: string, values: (append: Append) => unknown[]]

function draftArrays(variant: Variant): Record<string, ArrayColumn> {
  const stored = columnsOf(variant).map(({ name, type, value }): [string, DraftArray] => [
    name,
    [type, value],
  ])
  const effects = variant.isEffective ? Object.entries(effectColumns) : []
  return Object.fromEntries(
    [...stored, ...effects].map(([name, [type, value]]): [string, ArrayColumn] => [
      name,
      [type, ({ draftRows }) => draftRows.map(({ draft }) => value(draft))],
    ]),
  )
}

// SQL that only the statement for messages with effects has.
const onlyIf = (condition: boolean, sql: Prisma.Sql) => (condition ? sql : Prisma.empty)

// `raised_thread` locks the threads in key order, so that two processes never deadlock. The new values are computed
// after the lock is acquired. Therefore positions have the order of the commits, and times have the order of the
// positions. If another process has changed the thread since the statement began (`changes`), nothing is written,
// because the statement does not see the new recipients and settings. If another process wrote a message with the same
// key, the unique index refuses the new one. In both cases the caller tries again.
export const appendStatement = template(variantOf, (variant) => {
  const { isEffective, hasKeys, hasCountedAuthors, hasFiles } = variant
  return Prisma.sql`
    WITH draft AS (
      SELECT * FROM ${numberedRows('draft', {
        id: ['text', ({ draftRows }: Append) => draftRows.map(({ id }) => id)],
        writer: ['bigint', ({ draftRows }) => draftRows.map(({ writer }) => writer.number)],
        is_edited: ['boolean', ({ draftRows }) => draftRows.map(({ isEdited }) => isEdited)],
        by_key: ['boolean', ({ draftRows }) => draftRows.map(({ draft }) => draft.byKey !== undefined)],
        ...draftArrays(variant),
      })}
    ), writer AS MATERIALIZED (
      SELECT w.number, w.author_id, thread.*, coalesce(thread.may_reply, FALSE) AND ${canPost(workspaceID, 'w')} AS may_write
      FROM ${numberedRows<Append>('w', {
        workspace_id: ['text', ({ writers }) => writers.map(({ workspaceID }) => workspaceID)],
        thread_id: ['text', ({ writers }) => writers.map(({ threadID }) => threadID)],
        author_id: ['text', ({ writers }) => writers.map(({ authorID }) => authorID)],
        webhook_id: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.id ?? null)],
        key_hash: ['text', ({ writers }) => writers.map(({ webhook }) => webhook?.keyHash ?? null)],
        revision: ['integer', ({ writers }) => writers.map(({ webhook }) => webhook?.revision ?? null)],
        ...(isEffective && {
          administers: ['boolean', ({ writers }) => writers.map((one) => one.administers ?? false)],
        }),
      })}
      LEFT JOIN LATERAL (
        SELECT t.workspace_id, t.id AS thread_id, t.changes, t.closed_at, t.thread_by,
          NOT t.replies_off OR t.started_by_id = w.author_id AS may_reply${onlyIf(isEffective, threadOfWriter)}
        FROM visible_threads t
        WHERE t.viewer_id = w.author_id AND t.workspace_id = w.workspace_id AND t.id = w.thread_id OFFSET 0
      ) thread ON TRUE${withShortWaits(({ isSplitQueue }: Append) => isSplitQueue)}
    ), permitted_draft AS (
      SELECT draft.*, writer.author_id, writer.workspace_id, writer.thread_id, writer.changes
        ${onlyIf(hasKeys, Prisma.sql`, existing.id AS existing_id, existing.is_same`)}${onlyIf(isEffective, decisions)}
      FROM draft JOIN writer ON writer.number = draft.writer ${onlyIf(hasKeys, existingMessages(variant))}
        ${onlyIf(isEffective, fateOfDraft)}
      WHERE ${isEffective ? isPermitted : Prisma.sql`writer.may_write AND NOT (draft.by_key AND (writer.closed_at IS NOT NULL OR writer.thread_by IS NULL))`}
    ), raised_thread AS (
      UPDATE threads t SET last_position = t.last_position + of_thread.new_messages,
        last_activity_at = CASE WHEN of_thread.new_messages = 0 ${onlyIf(isEffective, Prisma.sql`AND NOT of_thread.calls`)} THEN t.last_activity_at
          ELSE greatest(t.last_activity_at, clock_timestamp()) END${onlyIf(isEffective, changedThread)}
      FROM (
        SELECT workspace_id, thread_id, changes, (count(*) ${onlyIf(hasKeys, Prisma.sql`FILTER (WHERE ${isNew(variant)})`)})::integer AS new_messages${onlyIf(isEffective, effectsOnThread)}
        FROM permitted_draft GROUP BY workspace_id, thread_id, changes ORDER BY workspace_id, thread_id
      ) of_thread
      WHERE t.workspace_id = of_thread.workspace_id AND t.id = of_thread.thread_id AND t.changes = of_thread.changes
      RETURNING t.workspace_id, t.id AS thread_id, t.last_position - of_thread.new_messages AS position_before,
        t.last_activity_at AS created_at${onlyIf(isEffective, isThreadChanged)}
    ), accepted_draft AS (
      SELECT permitted_draft.*, position_before, created_at${onlyIf(isEffective, Prisma.sql`, called_at, is_thread_changed`)}
      FROM permitted_draft JOIN raised_thread USING (thread_id, workspace_id)
    )${onlyIf(hasKeys, updatedMessages(variant))}, new_message AS (
      SELECT workspace_id, id, thread_id, position_before + ${numberInThread} AS position,
        author_id, created_at, ${insertedColumns(columnsOf(variant))}, CASE WHEN is_edited THEN clock_timestamp() END AS edited_at
        ${onlyIf(isEffective, Prisma.sql`, notify IS NOT DISTINCT FROM 'never' AS is_silent`)}
      FROM accepted_draft ${onlyIf(hasKeys, Prisma.sql`WHERE ${isNew(variant)}`)}
    )${insertMessages({
      columns: [
        ...columnsOf(variant).map(({ name }) => name),
        'edited_at',
        ...(isEffective ? ['is_silent'] : []),
      ],
      countedAuthorIDs: hasCountedAuthors ? Prisma.sql`${countedAuthorIDs}` : undefined,
      files: hasFiles ? files : undefined,
      mentions: isEffective ? mentions : undefined,
      alsoMentioning: Prisma.sql`
        UNION ALL SELECT workspace_id, draft_id, thread_id, position, at, TRUE, calls, shows_mentions FROM updated WHERE is_changed`,
      replacesFiles: hasKeys,
      alsoWritten: onlyIf(
        hasKeys,
        Prisma.sql`UNION ALL SELECT workspace_id, draft_id, id, FALSE, thread_id FROM updated WHERE is_changed`,
      ),
      laterEvents: onlyIf(isEffective, eventsOfThreads),
    })}
    SELECT draft_id AS "draftID", id, created, NULL::integer AS "writerNumber", NULL AS refusal, FALSE AS "isStale",
        ${isEffective ? Prisma.sql`draft_id IN (SELECT id FROM accepted_draft WHERE ${keepsClosing})` : Prisma.sql`FALSE`} AS "keepsClosing" FROM written
      UNION ALL SELECT NULL, NULL, FALSE, number::integer, ${refusal}, FALSE, FALSE FROM writer
        WHERE NOT may_write ${onlyIf(isEffective, Prisma.sql`OR NOT may_change`)}
      ${onlyIf(hasKeys, unchangedMessages(variant))}`
})

const refusal = Prisma.sql`CASE WHEN may_write THEN 'may_not_change' WHEN may_reply IS NULL THEN 'not_visible'
        WHEN may_reply THEN 'webhook_inactive' ELSE 'replies_off' END`

const isNew = ({ isEffective }: Variant) => (isEffective ? isNewMessage : Prisma.sql`existing_id IS NULL`)

// Messages that a call did not change: they have its content already, or they have a higher version.
const unchangedMessages = ({ isEffective }: Variant) =>
  isEffective
    ? Prisma.sql`UNION ALL SELECT id, coalesce(existing_id, deleted_id), FALSE, NULL, NULL, is_stale, ${keepsClosing}
        FROM accepted_draft WHERE is_same OR is_stale ${nothingToUpdate}`
    : Prisma.sql`UNION ALL SELECT id, existing_id, FALSE, NULL, NULL, FALSE, FALSE FROM accepted_draft WHERE is_same`

const numberInThread = Prisma.sql`row_number() OVER (PARTITION BY workspace_id, thread_id ORDER BY number)`

// A join with the message that has the key of a draft. OFFSET 0 makes every query plan find it by the key.
const existingMessages = (variant: Variant) => Prisma.sql`LEFT JOIN LATERAL (
        SELECT m.id, m.version, m.state, NOT draft.is_edited AND ${hasContentOfDraft(variant)} AS is_same FROM messages m
        WHERE m.workspace_id = writer.workspace_id AND m.thread_id = writer.thread_id
          AND m.author_id = writer.author_id AND m.unique_by = draft.unique_by OFFSET 0
      ) existing ON TRUE`

// Whether the message already has the content of the draft. The number of attachments is one of the columns. Therefore
// it is enough to check that each file of the draft is attached at its position.
function hasContentOfDraft(variant: Variant): Prisma.Sql {
  const columns = updatedColumns(variant)
    .filter((name) => name !== 'version')
    .map((name) => Prisma.sql`m.${Prisma.raw(name)} IS NOT DISTINCT FROM ${newValue(name)}`)
  const missingFile = Prisma.sql`
          SELECT FROM unnest(${files.draftIDs}::text[], ${files.positions}::smallint[], ${files.fileIDs}::text[])
            AS file (draft_id, position, id)
          WHERE file.draft_id = draft.id AND NOT EXISTS (
            SELECT FROM attachments a
            WHERE a.workspace_id = m.workspace_id AND a.message_id = m.id AND a.position = file.position
              AND a.file_id = file.id OFFSET 0)`
  const conditions = variant.hasFiles ? [...columns, Prisma.sql`NOT EXISTS (${missingFile})`] : columns
  return Prisma.join(conditions, ' AND ')
}

// If a message was deleted while the statement waited for the lock, it is not updated, and the caller tries again.
const updatedMessages = (variant: Variant) => Prisma.sql`, updated AS (
      UPDATE messages m SET ${Prisma.join(updatedColumns(variant).map((name) => Prisma.sql`${Prisma.raw(name)} = ${newValue(name)}`))},
        edited_at = ${variant.isEffective ? Prisma.sql`CASE WHEN draft.is_same THEN m.edited_at ELSE clock_timestamp() END` : Prisma.sql`clock_timestamp()`}
        ${onlyIf(variant.isEffective, Prisma.sql`, called_at = CASE WHEN draft.calls THEN draft.called_at ELSE m.called_at END`)}
      FROM accepted_draft AS draft
      WHERE m.workspace_id = draft.workspace_id AND m.id = draft.existing_id AND m.deleted_at IS NULL
        AND ${variant.isEffective ? Prisma.sql`NOT draft.is_stale AND (NOT draft.is_same OR draft.version > coalesce(m.version, -1))` : Prisma.sql`NOT draft.is_same`}
      RETURNING m.workspace_id, draft.id AS draft_id, m.id, m.thread_id, m.position, draft.attachment_count AS files,
        NOT draft.is_same AS is_changed${onlyIf(variant.isEffective, Prisma.sql`, draft.calls, CASE WHEN draft.calls THEN draft.called_at ELSE clock_timestamp() END AS at, ${showsMentions('m')}`)}
    )${onlyIf(!variant.isEffective, withoutMentions)}, detached AS (
      DELETE FROM attachments a USING updated
      WHERE a.workspace_id = updated.workspace_id AND a.message_id = updated.id AND updated.files IS NOT NULL AND updated.is_changed
      RETURNING a.message_id
    )`

// Without effects, the new texts mention nobody.
const withoutMentions = Prisma.sql`, unmentioned AS (
      DELETE FROM mentions m USING updated
      WHERE m.workspace_id = updated.workspace_id AND m.thread_id = updated.thread_id
        AND m.position = updated.position AND updated.is_changed
    )`

function updatedColumns(variant: Variant): string[] {
  return columnsOf(variant)
    .filter(({ isUpdated }) => isUpdated)
    .map(({ name }) => name)
}

function newValue(name: string): Prisma.Sql {
  const column = Prisma.raw(name)
  return Prisma.sql`coalesce(draft.${column}, m.${column})`
}
