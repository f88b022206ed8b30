import { createHistogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.ts'
import type { Call, Run } from './load.ts'

const problemsKept = 3

/** A call that is sent at a fixed rate, even while earlier calls wait for a response. */
export type Steady = { perSecond: number; nextCall: () => Call }

type Tally = { requests: number; errors: number; problems: string[] }

/**
 * Runs an open loop: latency counts from the time when a call is due. A closed loop sends less while it
 * waits, and therefore misses most of a stall.
 */
export async function runOpenLoad(url: string, calls: Steady[], seconds: number): Promise<Run> {
  const times = createHistogram()
  const tally: Tally = { requests: 0, errors: 0, problems: [] }
  const idle: Connection[] = []
  const open: Promise<void>[] = []
  const begin = performance.now()
  const schedule = async ({ perSecond, nextCall }: Steady, offset: number) => {
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      const due = begin + ((sent + offset) / perSecond) * 1000
      await sleep(due - performance.now())
      open.push(sendDue(idle, url, nextCall(), { due, times, tally }))
    }
  }
  await Promise.all(calls.map((steady, index) => schedule(steady, index / calls.length)))
  await Promise.all(open)
  for (const connection of idle) connection.close()
  const [p50, p95, p99] = [50, 95, 99].map((part) => times.percentile(part) / 1e6)
  return { ...tally, made: 0, perSecond: tally.requests / seconds, p50, p95, p99 } as Run
}

type Counted = { due: number; times: ReturnType<typeof createHistogram>; tally: Tally }

async function sendDue(idle: Connection[], url: string, call: Call, { due, times, tally }: Counted) {
  const connection = idle.pop() ?? new Connection(url)
  try {
    const { status, body } = await connection.send(call)
    if (status !== 200) throw new Error(`status ${status}: ${body.slice(0, 300)}`)
    call.check(JSON.parse(body))
    tally.requests++
  } catch (error) {
    tally.errors++
    if (tally.problems.length < problemsKept) tally.problems.push(String(error))
  }
  times.record(Math.max(1, Math.round((performance.now() - due) * 1e6)))
  idle.push(connection)
}
