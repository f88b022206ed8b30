import type { Context, UserActor } from '../context.ts'
import { execute } from '../database/query.ts'
import { AppError } from '../errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type LockedThread, mayChange, mayClose } from './lock-thread.ts'

export type ThreadSettings = {
  subject?: string | null
  closed?: boolean
  recipientsLocked?: boolean
  repliesOff?: boolean
}

export function changedSettings(thread: LockedThread, wanted: ThreadSettings): ThreadSettings {
  const has: Required<ThreadSettings> = { ...thread, closed: thread.closedAt !== null }
  const names = Object.keys(wanted) as (keyof ThreadSettings)[]
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== has[name]).map((name) => [name, wanted[name]]),
  )
}

export async function changeSettings(
  ctx: Context<UserActor>,
  thread: LockedThread,
  changes: ThreadSettings,
): Promise<void> {
  const onlyCloses = Object.keys(changes).every((name) => name === 'closed')
  if (!(onlyCloses ? mayClose(ctx, thread) : mayChange(ctx, thread))) {
    throw new AppError(
      'forbidden',
      'Only the user who started the thread, and admins of the workspace or of a recipient group, can change it. An app that is a recipient of a thread that an app or a webhook started can only close and reopen it.',
    )
  }
  const { subject, closed, recipientsLocked, repliesOff } = changes
  await execute(
    ctx.db,
    Prisma.sql`
    UPDATE threads SET
      subject = CASE WHEN ${subject !== undefined}::boolean THEN ${subject ?? null} ELSE subject END,
      closed_at = CASE ${closed ?? null}::boolean WHEN TRUE THEN clock_timestamp() WHEN FALSE THEN NULL ELSE closed_at END,
      recipients_locked = coalesce(${recipientsLocked ?? null}::boolean, recipients_locked),
      replies_off = coalesce(${repliesOff ?? null}::boolean, replies_off)
    WHERE workspace_id = ${thread.workspaceID} AND id = ${thread.id}`,
  )
}
