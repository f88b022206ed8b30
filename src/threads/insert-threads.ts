import { canPost } from '../apps/webhooks/access.ts'
import type { WebhookState } from '../context.ts'
import type { QueueKey } from '../database/batches/batcher.ts'
import { withShortWaits } from '../database/batches/write-queues.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { fold } from '../text/search/words.ts'
import { hasRested, isUser, type NewThread } from './address.ts'

export type ThreadInsertion = {
  workspaceID: string
  id: string
  thread: NewThread
  starterID: string
  webhook: WebhookState | undefined
  outcome: ThreadOutcome
  restSeconds: number | null
}

/** What the first message says about its thread. */
export type ThreadOutcome = { state: string | null; isClosed: boolean; closingVersion: bigint | null }

/**
 * Returns CTEs that create threads. The same statement must insert their first messages. A thread is not created if its
 * webhook is not active, or if another thread has its key. A closed thread that has rested gives its key away. These
 * threads are locked in order, and the keys are inserted in order, so that two processes never deadlock.
 */
export function insertThreads(threads: readonly ThreadInsertion[], queue: QueueKey): Prisma.Sql {
  const recipients = threads.flatMap(recipientsOf)
  return Prisma.sql`
    new_thread AS MATERIALIZED (
      SELECT o.*, ${canPost(Prisma.sql`o.workspace_id`, 'o')} AS can_post FROM unnest(
        ${threads.map(({ workspaceID }) => workspaceID)}::text[], ${threads.map(({ id }) => id)}::text[],
        ${threads.map(({ starterID }) => starterID)}::text[],
        ${threads.map(({ thread }) => thread.subject)}::text[],
        ${threads.map(({ thread: { subject } }) => subject && fold(subject))}::text[],
        ${threads.map(({ thread }) => thread.threadBy?.recipientsKey ?? null)}::text[],
        ${threads.map(({ thread }) => thread.threadBy?.value ?? null)}::text[],
        ${threads.map(({ thread }) => thread.fromMessageID)}::text[],
        ${threads.map(({ webhook }) => webhook?.id ?? null)}::text[],
        ${threads.map(({ webhook }) => webhook?.keyHash ?? null)}::text[],
        ${threads.map(({ webhook }) => webhook?.revision ?? null)}::integer[],
        ${threads.map(({ outcome }) => outcome.state)}::text[],
        ${threads.map(({ outcome }) => outcome.isClosed)}::boolean[],
        ${threads.map(({ outcome }) => outcome.closingVersion)}::bigint[],
        ${threads.map(({ thread }) => thread.replaces ?? null)}::text[],
        ${threads.map(({ restSeconds }) => restSeconds)}::double precision[],
        ${threads.map(groupIDsOf)}::text[]
      ) WITH ORDINALITY AS o (
        workspace_id, id, starter_id, subject, folded_subject, target, thread_by, from_message_id, webhook_id, key_hash,
        revision, state, is_closed, closing_version, replaces, rest_seconds, group_ids, number
      )${withShortWaits(queue.isSplitQueue)}
    ), released_thread AS (
      UPDATE threads t SET thread_by = NULL, thread_by_target = NULL, changes = t.changes + 1
      FROM (SELECT * FROM new_thread ORDER BY workspace_id, replaces) o
      WHERE o.can_post AND t.workspace_id = o.workspace_id AND t.id = o.replaces AND t.thread_by = o.thread_by
        AND ${hasRested(Prisma.sql`o.rest_seconds`)}
      RETURNING t.workspace_id, t.id
    ), created_thread AS (
      INSERT INTO threads
        (workspace_id, id, kind, subject, folded_subject, started_by_id, thread_by_target, thread_by, from_message_id,
          last_position, state, closed_at, closing_version, group_ids)
      SELECT o.workspace_id, o.id, 'thread', o.subject, o.folded_subject, o.starter_id, o.target, o.thread_by,
        o.from_message_id, 1, o.state, CASE WHEN o.is_closed THEN now() END, o.closing_version,
        string_to_array(o.group_ids, ' ')
      FROM new_thread o LEFT JOIN released_thread r ON r.workspace_id = o.workspace_id AND r.id = o.replaces
      WHERE o.can_post AND (o.replaces IS NULL OR r.id IS NOT NULL)
      ORDER BY o.workspace_id, o.starter_id, o.target, o.thread_by
      ON CONFLICT (workspace_id, started_by_id, thread_by_target, thread_by) WHERE thread_by IS NOT NULL DO NOTHING
      RETURNING workspace_id, id, created_at
    ), inserted_recipients AS (
      INSERT INTO recipients (workspace_id, thread_id, user_id, group_id)
      SELECT created_thread.workspace_id, created_thread.id, r.user_id, r.group_id
      FROM unnest(${recipients.map(({ threadID }) => threadID)}::text[],
        ${recipients.map(({ userID }) => userID)}::text[], ${recipients.map(({ groupID }) => groupID)}::text[]
      ) AS r (thread_id, user_id, group_id)
      JOIN created_thread ON created_thread.id = r.thread_id
    )`
}

// The trigger of recipients finds the groups as they are, and does not write the thread a second time. An array of arrays
// would need the same number of groups for each thread.
function groupIDsOf({ thread: { recipients } }: ThreadInsertion): string {
  const groups = recipients.filter((recipient) => !isUser(recipient))
  return groups
    .map(({ id }) => id)
    .sort()
    .join(' ')
}

// Without a group among the recipients, the starter must be a recipient, in order to see the thread.
function recipientsOf({ id, thread: { recipients }, starterID }: ThreadInsertion) {
  const users = recipients.filter(isUser).map((user) => user.id)
  const groups = recipients.filter((recipient) => !isUser(recipient))
  if (groups.length === 0) users.push(starterID)
  return [
    ...users.map((userID) => ({ threadID: id, userID, groupID: null })),
    ...groups.map((group) => ({ threadID: id, userID: null, groupID: group.id })),
  ]
}
