import { z } from 'zod'
import { perLimits } from '../../config.ts'
import type { Context } from '../../context.ts'
import { id, parseInput } from '../../input.ts'
import { changeStates, differing, type States } from '../../threads/change-states.ts'
import { threadFields } from '../fields.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'
import type { ThreadEvent } from './events.ts'

const inputFor = perLimits((limits) =>
  z.object({
    threadID: id,
    subject: threadFields(limits).subject.nullish(),
    closed: z.boolean().nullish(),
    recipientsLocked: z.boolean().nullish(),
    repliesOff: z.boolean().nullish(),
  }),
)

/** Changes a plain thread, for the user who started it and admins. Unchanged values get no system message. */
export async function updateThread(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<ThreadChange> {
  const { threadID, subject, ...switches } = parseInput(inputFor(ctx.config.limits), input)
  const wanted: States = {
    ...(subject !== undefined && { subject }),
    ...Object.fromEntries(Object.entries(switches).filter(([, value]) => value != null)),
  }
  return changeThread(ctx, threadID, async (within, thread) => {
    const changes = differing(thread, wanted)
    await changeStates(within, thread, changes)
    return eventsOf(changes)
  })
}

function eventsOf({ subject, closed, recipientsLocked, repliesOff }: States): ThreadEvent[] {
  const events: ThreadEvent[] = []
  if (subject !== undefined) events.push({ type: 'subjectChanged', subject })
  if (recipientsLocked !== undefined) {
    events.push({ type: recipientsLocked ? 'recipientsLocked' : 'recipientsUnlocked' })
  }
  if (repliesOff !== undefined) events.push({ type: repliesOff ? 'repliesTurnedOff' : 'repliesTurnedOn' })
  if (closed !== undefined) events.push({ type: closed ? 'closed' : 'reopened' })
  return events
}
