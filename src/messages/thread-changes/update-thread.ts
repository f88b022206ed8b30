import { z } from 'zod'
import { cachedPerLimits } from '../../config.ts'
import { type Context, requireScope } from '../../context.ts'
import { id, parseInput } from '../../input.ts'
import { changedSettings, changeSettings, type ThreadSettings } from '../../threads/change-settings.ts'
import { threadFields } from '../fields.ts'
import { changeThread, type ThreadChange } from './change-thread.ts'
import type { ThreadEvent } from './events.ts'

const inputFor = cachedPerLimits((limits) =>
  z.object({
    threadID: id,
    subject: threadFields(limits).subject.nullish(),
    closed: z.boolean().nullish(),
    recipientsLocked: z.boolean().nullish(),
    repliesOff: z.boolean().nullish(),
  }),
)

/** Changes a plain thread. A value that does not change creates no system message. */
export async function updateThread(
  ctx: Context,
  input: z.input<ReturnType<typeof inputFor>>,
): Promise<ThreadChange> {
  requireScope(ctx, 'threads:write')
  const { threadID, subject, ...settings } = parseInput(inputFor(ctx.config.limits), input)
  const wanted: ThreadSettings = {
    ...(subject !== undefined && { subject }),
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null)),
  }
  return changeThread(ctx, threadID, async (inTx, thread) => {
    const changes = changedSettings(thread, wanted)
    await changeSettings(inTx, thread, changes)
    return eventsOf(changes)
  })
}

function eventsOf({ subject, closed, recipientsLocked, repliesOff }: ThreadSettings): ThreadEvent[] {
  const events: ThreadEvent[] = []
  if (subject !== undefined) events.push({ type: 'subjectChanged', subject })
  if (recipientsLocked !== undefined) {
    events.push({ type: recipientsLocked ? 'recipientsLocked' : 'recipientsUnlocked' })
  }
  if (repliesOff !== undefined) events.push({ type: repliesOff ? 'repliesTurnedOff' : 'repliesTurnedOn' })
  if (closed !== undefined) events.push({ type: closed ? 'closed' : 'reopened' })
  return events
}
