import { z } from 'zod'
import { type Context, requireScope } from '../../context.ts'
import { type BatchLimits, batcher, type QueueKey } from '../../database/batches/batcher.ts'
import { sharedBatches, withShortWaits } from '../../database/batches/write-queues.ts'
import { query } from '../../database/query.ts'
import { notFound } from '../../errors.ts'
import { personalSignals } from '../../events/personal-signals.ts'
import { Prisma, type Thread } from '../../generated/prisma/client.ts'
import { id, parseInput } from '../../input.ts'
import { threadOf } from '../../threads/access.ts'
import { threadColumns } from '../../threads/rows.ts'
import { accessMessage } from '../access.ts'
import { countOwnUpTo } from './count-own-messages.ts'
import { calledAgain, readStateOf } from './read-state.ts'

const readInput = z.object({ threadID: id, upToMessageID: id.nullish() })

export type MarkReadResult = { thread: Thread }

/** `upTo` is a message ID, or null for the whole thread. */
type Call = { workspaceID: string; userID: string; threadID: string; upTo: string | null }

/** Marks a thread as read by the caller, up to a message or to its end. Messages that were read stay read. */
export async function markRead(ctx: Context, input: z.input<typeof readInput>): Promise<MarkReadResult> {
  requireScope(ctx, 'threads.messages:read')
  const { threadID, upToMessageID: upTo = null } = parseInput(readInput, input)
  const { workspaceID, userID } = ctx.actor
  const thread = await mark(ctx.db, '', { workspaceID, userID, threadID, upTo })
  if (!thread) throw notFound(upTo === null ? 'thread' : 'message')
  personalSignals(ctx.db).send({ workspaceID, userID, threadID })
  return { thread }
}

const batches: BatchLimits<Call> = {
  running: 2,
  calls: 200,
  ...sharedBatches('reads', { owner: ({ workspaceID }) => workspaceID, splitKey: ({ userID }) => userID }),
}

// If calls of one batch mark the same thread for the same user, the highest position counts.
const mark = batcher<Call, Thread | undefined>(batches, async (db, calls, queue) => {
  const found = await query<Thread & { number: bigint }>(db, markStatement(calls, queue), {
    pipeline: queue.key,
  })
  const marked = new Map(found.map(({ number, ...thread }) => [Number(number), thread]))
  return calls.map((_, index) => marked.get(index + 1))
})

// If the user has already read further, nothing is written. The row has one time up to which calls are read. If messages
// that called again follow, it is just before their first call. Otherwise it is that of the last call that the statement
// sees, because a call that it does not see can have an earlier time than the statement. Only the statements that insert
// messages change `own_total` of an existing row.
function markStatement(calls: Call[], queue: QueueKey): Prisma.Sql {
  const reader = { workspaceID: Prisma.sql`c.workspace_id`, userID: Prisma.sql`c.user_id` }
  const called = calledAgain(reader)
  return Prisma.sql`
    WITH found AS (
      SELECT c.number, c.workspace_id, c.user_id, c.thread_id, t.*, coalesce(known.own_total, 0) AS own_total,
        ${countOwnUpTo(Prisma.sql`t.position`, reader)} AS own, calls.calls_read
      FROM unnest(
        ${calls.map(({ workspaceID }) => workspaceID)}::text[], ${calls.map(({ userID }) => userID)}::text[],
        ${calls.map(({ threadID }) => threadID)}::text[], ${calls.map(({ upTo }) => upTo)}::text[]
      ) WITH ORDINALITY AS c (workspace_id, user_id, thread_id, up_to, number)
      CROSS JOIN LATERAL (
        SELECT coalesce(m.position, t.last_position) AS position, t.last_position, t.last_activity_at, t.called_at,
          t.group_ids, ${threadColumns}
        FROM visible_threads t LEFT JOIN messages m
          ON m.workspace_id = t.workspace_id AND m.id = c.up_to AND m.thread_id = t.id
        WHERE t.viewer_id = c.user_id AND t.workspace_id = c.workspace_id AND t.id = c.thread_id
          AND (c.up_to IS NULL OR m.id IS NOT NULL)
      ) AS t ${readStateOf(reader)}
      CROSS JOIN LATERAL (
        SELECT coalesce(
          min(m.called_at) FILTER (WHERE m.position > t.position) - interval '1 millisecond', t.called_at
        ) AS calls_read ${called}
      ) AS calls${withShortWaits(queue.isSplitQueue)}
    ), marked AS (
      INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to)
      SELECT workspace_id, user_id, thread_id, max(position), max(own_total), max(own),
        max(calls_read) FROM found
      GROUP BY workspace_id, user_id, thread_id
      ORDER BY workspace_id COLLATE "C", user_id COLLATE "C", thread_id COLLATE "C"
      ON CONFLICT (workspace_id, user_id, thread_id)
        DO UPDATE SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to),
          own_read = CASE WHEN reads.read_up_to < excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
          calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to), is_marked = FALSE
      WHERE reads.is_marked OR reads.read_up_to < excluded.read_up_to
        OR excluded.calls_read_up_to > coalesce(reads.calls_read_up_to, '-infinity')
    )
    SELECT * FROM found`
}

const unreadInput = z.object({ threadID: id, fromMessageID: id })

/** Marks a thread as unread from a message on, if it has read more. Only this verb moves the read position back. */
export async function markUnread(ctx: Context, input: z.input<typeof unreadInput>): Promise<MarkReadResult> {
  requireScope(ctx, 'threads.messages:read')
  const { threadID, fromMessageID: from } = parseInput(unreadInput, input)
  const { workspaceID, userID } = ctx.actor
  const message = await accessMessage(ctx, from, 'threads.messages:read')
  if (message.threadID !== threadID) throw notFound('message')
  const before = Prisma.sql`${message.position - 1}::integer`
  await query(
    ctx.db,
    Prisma.sql`
    INSERT INTO reads AS r (workspace_id, user_id, thread_id, read_up_to, own_read, own_total, calls_read_up_to, kept_at)
    SELECT t.workspace_id, ${userID}, t.id, ${before}, ${countOwnUpTo(before, ctx.actor)}, coalesce(known.own_total, 0),
      nullif(state.calls_read_up_to, '-infinity'), clock_timestamp()
    FROM threads t ${readStateOf(ctx.actor)}
    WHERE t.workspace_id = ${workspaceID} AND t.id = ${threadID} AND state.read_up_to > ${before}
    ON CONFLICT (workspace_id, user_id, thread_id) DO UPDATE SET read_up_to = excluded.read_up_to,
      own_read = excluded.own_read, calls_read_up_to = excluded.calls_read_up_to, kept_at = excluded.kept_at,
      is_marked = FALSE`,
  )
  personalSignals(ctx.db).send({ workspaceID, userID, threadID })
  return { thread: await threadOf(ctx, workspaceID, threadID) }
}
