import type { Context, UserActor } from '../context.ts'
import { AppError } from '../errors.ts'
import { type LockedThread, mayChange } from './lock-thread.ts'

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
  { closed, ...settings }: ThreadSettings,
): Promise<void> {
  if (!mayChange(ctx, thread)) {
    throw new AppError(
      'forbidden',
      'Only the user who started the thread, and admins of the workspace or of a recipient group, can change it.',
    )
  }
  const closedAt = closed === undefined ? {} : { closedAt: closed ? new Date() : null }
  await ctx.db.thread.update({
    where: { workspaceID_id: { workspaceID: thread.workspaceID, id: thread.id } },
    data: { ...settings, ...closedAt },
  })
}
