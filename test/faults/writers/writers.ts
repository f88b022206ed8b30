import { setTimeout as sleep } from 'node:timers/promises'
import type { Desk } from './desk.ts'
import { changeMembers, changeRecipients, converse, markRead } from './graphql-writers.ts'
import { postVersions } from './version-writers.ts'
import { post, postElsewhere, postMany, postWithThreadBy, postWithUniqueBy } from './webhook-writers.ts'

type Step = (desk: Desk) => Promise<unknown>

const writers: { pauseMs: number; steps: Step[] }[] = [
  { pauseMs: 60, steps: [post, post, converse, converse, converse] },
  { pauseMs: 100, steps: [postWithUniqueBy, postWithUniqueBy, postWithThreadBy, postWithThreadBy] },
  { pauseMs: 200, steps: [postElsewhere, markRead] },
  { pauseMs: 300, steps: [postMany, postMany] },
  { pauseMs: 300, steps: [postVersions, postVersions, postVersions, postVersions] },
  { pauseMs: 700, steps: [changeRecipients, changeMembers] },
]

/** Makes changes in every possible way until the signal aborts. The pauses have random lengths. */
export async function write(desk: Desk, signal: AbortSignal): Promise<void> {
  const repeat = async (pauseMs: number, step: Step) => {
    const own = { ...desk, random: desk.random.fork() }
    while (!signal.aborted) {
      await step(own)
      await sleep(own.random.below(2 * pauseMs))
    }
  }
  await Promise.all(writers.flatMap(({ pauseMs, steps }) => steps.map((step) => repeat(pauseMs, step))))
}
