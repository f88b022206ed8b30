import { Prisma } from '../../generated/prisma/client.ts'
import { nextCall } from '../../threads/change-outcome.ts'
import { isClosableByApp, isThreadAdmin } from '../../threads/lock-thread.ts'
import { type Draft, hasEffects, type ThreadKey } from './draft.ts'

// Parts of the statement in append-statement.ts for calls that order themselves by a version, or that change their thread.

/**
 * Returns a function that says whether a call can be written by the same statement as the calls before it. A statement
 * decides once for each message that has a version. A call that closes or reopens its thread is the last call of the
 * thread in its statement, because a later one can reopen the thread.
 */
export function joiner(): (call: { thread: ThreadKey; draft: Draft }) => boolean {
  const hasEffectsByKey = new Map<string, boolean>()
  const changedThreads = new Set<string>()
  return ({ thread: { threadID }, draft }) => {
    if (draft.uniqueBy !== null) {
      const key = `${threadID} ${draft.authorID} ${draft.uniqueBy}`
      const known = hasEffectsByKey.get(key)
      const isOrdered = hasEffects(draft)
      if (known !== undefined && (known || isOrdered)) return false
      hasEffectsByKey.set(key, isOrdered)
    }
    if (changedThreads.has(threadID)) return false
    if (namesThread(draft)) changedThreads.add(threadID)
    return true
  }
}

/** Whether a draft is refused, and not only its fields ignored, if the caller may not change the thread. */
export function requiresRights(draft: Draft): boolean {
  return draft.isStrict === true && namesThread(draft)
}

function namesThread({ threadClosed, threadState }: Draft): boolean {
  return threadClosed != null || threadState != null
}

const author = Prisma.sql`w.author_id`

/** What the statement reads of the thread `t` of a writer `w`. */
export const threadOfWriter = Prisma.sql`, t.state AS old_thread_state, t.closing_version, t.kind = 'thread' AS is_thread,
          t.kind = 'thread' AND (t.started_by_id = w.author_id
            OR w.administers AND (${isThreadAdmin(author)} OR ${isClosableByApp(author)})) AS may_change`

/** The conditions for a draft. A key that has rested begins a new thread, and a key that was given away names another. */
export const isPermitted = Prisma.sql`writer.may_write AND NOT (draft.is_strict AND NOT writer.may_change)
        AND (draft.by_key AND (writer.thread_by IS NULL
          OR writer.closed_at < clock_timestamp() - make_interval(secs => draft.rest_seconds))) IS NOT TRUE`

/** Joins what decides about a draft: the version of its message, and those of deleted messages that had its key. */
export const fateOfDraft = Prisma.sql`LEFT JOIN LATERAL (
        SELECT m.id FROM messages m
        WHERE m.workspace_id = writer.workspace_id AND m.thread_id = writer.thread_id
          AND m.author_id = writer.author_id AND m.deleted_unique_by = draft.unique_by AND m.version >= draft.version
        ORDER BY m.version DESC LIMIT 1
      ) deleted ON TRUE CROSS JOIN LATERAL (
        SELECT deleted.id IS NOT NULL OR coalesce(draft.version < existing.version, FALSE) AS is_stale OFFSET 0
      ) fate CROSS JOIN LATERAL (
        SELECT NOT fate.is_stale AND (existing.id IS NULL AND NOT draft.only_updates OR NOT existing.is_same) AS is_change,
          draft.state IS DISTINCT FROM existing.state AS turns OFFSET 0
      ) change`

/** The columns of a draft that say what it does. `calls` means that an update asks for attention. */
export const decisions = Prisma.sql`, deleted.id AS deleted_id, fate.is_stale, writer.closed_at IS NOT NULL AS was_closed,
        writer.old_thread_state, writer.may_change,
        existing.id IS NOT NULL AND change.is_change AND (draft.notify IS NOT DISTINCT FROM 'always'
          OR draft.notify IS DISTINCT FROM 'never' AND coalesce(draft.state = 'failed' AND change.turns, FALSE)) AS calls,
        CASE WHEN writer.is_thread AND NOT fate.is_stale AND NOT (draft.only_updates AND existing.id IS NULL) THEN coalesce(
          CASE WHEN writer.may_change THEN nullif(draft.thread_state, 'keep') END,
          CASE WHEN change.is_change AND draft.thread_state IS DISTINCT FROM 'keep' THEN draft.state END) END AS new_thread_state,
        CASE WHEN fate.is_stale OR draft.only_updates AND existing.id IS NULL THEN NULL
          WHEN draft.thread_closed IN ('true', 'false') AND writer.may_change
            THEN CASE WHEN draft.version < writer.closing_version THEN NULL ELSE draft.thread_closed = 'true' END
          WHEN draft.thread_closed IS NULL AND draft.by_key AND writer.closed_at IS NOT NULL AND (existing.id IS NULL
            OR change.is_change AND change.turns AND draft.state IN ('failed', 'running')) THEN FALSE END AS closes`

/** What the drafts of a thread do to it. The last call that says something counts. */
export const effectsOnThread = Prisma.sql`, bool_or(calls) AS calls, bool_or(was_closed) AS was_closed,
          min(old_thread_state) AS old_thread_state,
          (array_agg(new_thread_state ORDER BY number DESC) FILTER (WHERE new_thread_state IS NOT NULL))[1] AS new_state,
          (array_agg(closes ORDER BY number DESC) FILTER (WHERE closes IS NOT NULL))[1] AS closes,
          max(version) FILTER (WHERE closes IS NOT NULL AND thread_closed IS NOT NULL) AS new_closing_version`

/** The part of the UPDATE of a thread `t`. It counts as a change, so that another process reads the thread again. */
export const changedThread = Prisma.sql`, changes = t.changes + 1, state = coalesce(of_thread.new_state, t.state),
        closing_version = greatest(t.closing_version, of_thread.new_closing_version),
        called_at = CASE WHEN of_thread.calls THEN ${nextCall(Prisma.sql`t.called_at`)} ELSE t.called_at END,
        closed_at = CASE of_thread.closes WHEN TRUE THEN coalesce(t.closed_at, clock_timestamp()) WHEN FALSE THEN NULL
          ELSE t.closed_at END`

/** Whether a draft becomes a new message. Needs a row of `permitted_draft`. */
export const isNewMessage = Prisma.sql`existing_id IS NULL AND NOT is_stale AND NOT only_updates`

/** Whether the thread keeps a higher version than that of a `threadClosed`. Needs a row of `permitted_draft`. */
export const keepsClosing = Prisma.sql`coalesce(may_change AND thread_closed IN ('true', 'false') AND closes IS NULL, FALSE)`

/** Part of a SELECT with the drafts that found no message to update. */
export const nothingToUpdate = Prisma.sql`
      UNION ALL SELECT id, NULL, FALSE, NULL, 'nothing_to_update', FALSE, FALSE
        FROM accepted_draft WHERE only_updates AND existing_id IS NULL AND NOT is_stale`

export const isThreadChanged = Prisma.sql`, t.called_at, t.state IS DISTINCT FROM of_thread.old_thread_state
          OR (t.closed_at IS NOT NULL) <> of_thread.was_closed AS is_thread_changed`

/** Part of a SELECT with the events of the changed threads. Each names the last message of its thread's calls. */
export const eventsOfThreads = Prisma.sql`
        UNION ALL SELECT workspace_id, 'thread.updated', thread_id,
          (array_agg(coalesce(existing_id, id) ORDER BY number DESC) FILTER (WHERE NOT is_stale))[1]
        FROM accepted_draft WHERE is_thread_changed GROUP BY workspace_id, thread_id`

export type DraftArray = [type: string, value: (draft: Draft) => unknown]

/** The columns of a draft that only its effects need. */
export const effectColumns: Record<string, DraftArray> = {
  notify: ['text', ({ notify }) => notify ?? null],
  thread_closed: ['text', ({ threadClosed }) => (threadClosed == null ? null : String(threadClosed))],
  thread_state: ['text', ({ threadState }) => threadState ?? null],
  rest_seconds: ['double precision', ({ byKey }) => byKey?.restSeconds ?? null],
  only_updates: ['boolean', ({ onlyUpdates }) => onlyUpdates === true],
  is_strict: ['boolean', requiresRights],
}
