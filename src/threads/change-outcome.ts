import { type Context, holdsScope, type UserActor } from '../context.ts'
import { execute } from '../database/query.ts'
import { AppError } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type LockedThread, mayClose } from './lock-thread.ts'

/** What an edited message says about its thread. Only an update that `calls` moves the thread up. */
export type Outcome = {
  state?: string | null | undefined
  threadState?: string | null | undefined
  threadClosed?: boolean | 'keep' | null | undefined
  version?: bigint | null | undefined
  calls: boolean
}

/** Changes the state of a locked thread, and closes or reopens it. Returns whether one of them is different now. */
export async function changeOutcome(
  ctx: Context<UserActor>,
  thread: LockedThread,
  { state, threadState, threadClosed, version, calls }: Outcome,
): Promise<boolean> {
  if (threadClosed != null || threadState != null) requireRights(ctx, thread)
  const isOld = version != null && thread.closingVersion !== null && version < thread.closingVersion
  const closes = isOld || typeof threadClosed !== 'boolean' ? null : threadClosed
  const named = threadState === 'keep' ? thread.state : (threadState ?? state ?? thread.state)
  const newState = thread.kind === 'thread' ? named : null
  if (newState === thread.state && closes === null && !calls) return false
  await execute(
    ctx.db,
    Prisma.sql`
    UPDATE threads SET state = ${newState}, changes = changes + 1,
      closed_at = CASE ${closes}::boolean WHEN TRUE THEN coalesce(closed_at, clock_timestamp()) WHEN FALSE THEN NULL
        ELSE closed_at END,
      closing_version = CASE WHEN ${closes !== null}::boolean THEN greatest(closing_version, ${version ?? null}::bigint)
        ELSE closing_version END,
      called_at = CASE WHEN ${calls}::boolean THEN ${nextCall(Prisma.sql`called_at`)} ELSE called_at END,
      last_activity_at = CASE WHEN ${calls}::boolean THEN greatest(last_activity_at, clock_timestamp())
        ELSE last_activity_at END
    WHERE workspace_id = ${thread.workspaceID} AND id = ${thread.id}`,
  )
  return newState !== thread.state || (closes !== null && closes !== (thread.closedAt !== null))
}

function requireRights(ctx: Context<UserActor>, thread: LockedThread): void {
  const isOwn = thread.startedByID === ctx.actor.userID
  const isAllowed = isOwn || (mayClose(ctx, thread) && holdsScope(ctx.actor, 'threads:write'))
  if (thread.kind !== 'thread' || !isAllowed) throw outcomeRefused()
}

export function outcomeRefused(): AppError {
  return new AppError(
    'forbidden',
    'Only the user who started the thread can use threadClosed and threadState, and, with the scope threads:write, admins of the workspace or of a recipient group, and apps that are recipients if an app or a webhook started the thread. A group chat and a DM have neither.',
  )
}

/**
 * Returns the time of a new call of a locked thread. It is later than that of the call before, because the time says
 * which calls a reader has seen.
 */
export function nextCall(calledAt: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`greatest(clock_timestamp(), ${calledAt} + interval '1 millisecond')`
}
