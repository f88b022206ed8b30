import type { Context, UserActor } from '../context.ts'
import { AppError } from '../errors.ts'
import { type LockedThread, mayChange } from './lock-thread.ts'

export type States = {
  subject?: string | null
  closed?: boolean
  recipientsLocked?: boolean
  repliesOff?: boolean
}

export function differing(thread: LockedThread, wanted: States): States {
  const has: Required<States> = { ...thread, closed: thread.closedAt !== null }
  const names = Object.keys(wanted) as (keyof States)[]
  return Object.fromEntries(
    names.filter((name) => wanted[name] !== has[name]).map((name) => [name, wanted[name]]),
  )
}

export async function changeStates(
  ctx: Context<UserActor>,
  thread: LockedThread,
  { closed, ...states }: States,
): Promise<void> {
  if (!mayChange(ctx, thread)) {
    throw new AppError('forbidden', 'Only the user who started the thread and admins can change it.')
  }
  const closedAt = closed === undefined ? {} : { closedAt: closed ? new Date() : null }
  await ctx.db.thread.update({
    where: { workspaceID_id: { workspaceID: thread.workspaceID, id: thread.id } },
    data: { ...states, ...closedAt },
  })
}
