import type { Bench } from '../bench.ts'
import { askForToken, expectMe, meQuery, pick, post, query } from '../calls.ts'
import { latency } from '../expectations.ts'
import type { Call } from '../load.ts'
import { fill, pageReads, pagesVolume } from '../pages.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import { threadsOf } from '../seed.ts'
import type { World } from '../worlds.ts'

const fullSeconds = 20
const quickSeconds = 4

/** All loads at the same time, long enough for queues to form. */
export const mixed: Stage = {
  rounds: 1,
  rows: [
    {
      number: '14',
      title: 'mixed: 70 % webhook, 20 % thread, 10 % token and `me`, 128 connections',
      subject: 'mixed',
      expect: (row) =>
        `If 128 clients send as much as they can, half of the answers arrive after ${latency('p50', row)}, and 99 % after ${latency('p99', row)}.`,
    },
  ],

  async prepare(bench: Bench) {
    const volume = pagesVolume(bench)
    const filled = await fill(bench, 'mixed', volume)
    const { service, store, worlds } = filled
    const [world] = worlds as [World]
    const threads = threadsOf(volume)
    const nextRead = pageReads(filled)
    const token = withoutMaking(askForToken(world))
    const me = query(world, meQuery, {}, expectMe(world))
    const nextCall = () => {
      const chance = Math.random()
      if (chance < 0.7) return post(world, { target: pick(threads) })
      if (chance < 0.9) return nextRead().ofService()
      return chance < 0.95 ? token : me
    }
    const seconds = bench.effort.quick ? quickSeconds : fullSeconds
    return {
      mixed: httpContestant(bench, { servers: [service], store, connections: 128, seconds, nextCall }),
    }
  },
}

/** Makes a call count as if it created nothing, because this row counts only messages. */
function withoutMaking(call: Call): Call {
  const check = (answer: unknown) => {
    call.check(answer)
    return 'answered' as const
  }
  return { ...call, check }
}
