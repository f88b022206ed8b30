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
import { calledAgain, calledColumns } from './called-again.ts'
import { countOwnUpTo } from './count-own-messages.ts'
import type { ReadState, ThreadWithReadState } from './read-state.ts'

const readInput = z.object({ threadID: id, upToMessageID: id.nullish() })

export type MarkReadResult = { thread: ThreadWithReadState }

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
  ...sharedBatches({ owner: ({ workspaceID }) => workspaceID, splitKey: ({ userID }) => userID }),
}

// If calls of one batch mark the same thread for the same user, the highest position counts.
const mark = batcher<Call, ThreadWithReadState | undefined>(batches, async (db, calls, queue) => {
  const found = await query<Thread & ReadState & { number: bigint }>(db, markStatement(calls, queue), {
    pipeline: queue.key,
  })
  const marked = new Map(
    found.map((row): [number, ThreadWithReadState] => {
      const { number, readUpTo, ownTotal, ownRead, calledAgain, firstCalled, ...thread } = row
      const { lastPosition } = thread
      const readState = { lastPosition, readUpTo, ownTotal, ownRead, calledAgain, firstCalled }
      return [Number(number), { ...thread, readState }]
    }),
  )
  return calls.map((_, index) => marked.get(index + 1))
})

// If the user has already read further, nothing is written. The row has one time up to which calls are read. If messages
// that called again follow, it is just before their first call. Otherwise it is that of the last call that the statement
// sees, because a call that it does not see can have an earlier time than the statement. The answer is computed from the statement's snapshot, and
// does not include concurrent calls. Only the statements that insert messages change `own_total` of an existing row.
function markStatement(calls: Call[], queue: QueueKey): Prisma.Sql {
  const reader = {
    workspaceID: Prisma.sql`c.workspace_id`,
    userID: Prisma.sql`c.user_id`,
    threadID: Prisma.sql`c.thread_id`,
  }
  const called = calledAgain({ ...reader, calledAt: Prisma.sql`thread.called_at` })
  return Prisma.sql`
    WITH found AS (
      SELECT c.number, c.workspace_id, c.user_id, c.thread_id, thread.*, coalesce(known.read_up_to, 0) AS read_before,
        coalesce(known.own_total, 0) AS own_total, coalesce(known.own_read, 0) AS own_before,
        ${countOwnUpTo(Prisma.sql`thread.position`, reader)} AS own, calls.calls_read, called.*
      FROM unnest(
        ${calls.map(({ workspaceID }) => workspaceID)}::text[], ${calls.map(({ userID }) => userID)}::text[],
        ${calls.map(({ threadID }) => threadID)}::text[], ${calls.map(({ upTo }) => upTo)}::text[]
      ) WITH ORDINALITY AS c (workspace_id, user_id, thread_id, up_to, number)
      CROSS JOIN LATERAL (
        SELECT coalesce(m.position, t.last_position) AS position, t.last_position, t.called_at, ${threadColumns}
        FROM visible_threads t LEFT JOIN messages m
          ON m.workspace_id = t.workspace_id AND m.id = c.up_to AND m.thread_id = t.id
        WHERE t.viewer_id = c.user_id AND t.workspace_id = c.workspace_id AND t.id = c.thread_id
          AND (c.up_to IS NULL OR m.id IS NOT NULL)
      ) AS thread
      LEFT JOIN LATERAL (
        SELECT read_up_to, own_total, own_read, calls_read_up_to FROM reads
        WHERE workspace_id = c.workspace_id AND user_id = c.user_id AND thread_id = c.thread_id OFFSET 0
      ) AS known ON TRUE
      CROSS JOIN LATERAL (
        SELECT coalesce(
          min(m.called_at) FILTER (WHERE m.position > thread.position) - interval '1 millisecond', thread.called_at
        ) AS calls_read ${called}
      ) AS calls CROSS JOIN LATERAL (
        SELECT ${calledColumns} ${called} AND m.called_at > calls.calls_read
      ) AS called${withShortWaits(queue.isSplitQueue)}
    ), marked AS (
      INSERT INTO reads (workspace_id, user_id, thread_id, read_up_to, own_total, own_read, calls_read_up_to)
      SELECT workspace_id, user_id, thread_id, max(position), max(own_total), max(own),
        max(calls_read) FROM found
      GROUP BY workspace_id, user_id, thread_id
      ORDER BY workspace_id COLLATE "C", user_id COLLATE "C", thread_id COLLATE "C"
      ON CONFLICT (workspace_id, user_id, thread_id)
        DO UPDATE SET read_up_to = greatest(reads.read_up_to, excluded.read_up_to),
          own_read = CASE WHEN reads.read_up_to < excluded.read_up_to THEN excluded.own_read ELSE reads.own_read END,
          calls_read_up_to = greatest(reads.calls_read_up_to, excluded.calls_read_up_to)
      WHERE reads.read_up_to < excluded.read_up_to
        OR excluded.calls_read_up_to > coalesce(reads.calls_read_up_to, '-infinity')
    )
    SELECT found.*, greatest(position, read_before) AS "readUpTo", own_total AS "ownTotal",
      greatest(own, own_before) AS "ownRead", "calledAgain", "firstCalled"
    FROM found`
}

const unreadInput = z.object({ threadID: id, fromMessageID: id })

/** Marks a thread as unread from a message on. Only this verb moves the read position back. */
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
    UPDATE reads SET read_up_to = ${before}, own_read = seen.own
    FROM (
      SELECT ${countOwnUpTo(before, { workspaceID, userID, threadID })} AS own
      FROM threads AS thread LEFT JOIN reads AS known
        ON known.workspace_id = thread.workspace_id AND known.user_id = ${userID} AND known.thread_id = thread.id
      WHERE thread.workspace_id = ${workspaceID} AND thread.id = ${threadID}
    ) AS seen
    WHERE workspace_id = ${workspaceID} AND user_id = ${userID} AND thread_id = ${threadID}
      AND read_up_to > ${before}`,
  )
  personalSignals(ctx.db).send({ workspaceID, userID, threadID })
  return { thread: await threadOf(ctx, workspaceID, threadID) }
}
