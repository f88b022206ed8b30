import { setTimeout as sleep } from 'node:timers/promises'
import { median } from './bench.ts'
import { Connection } from './connection.ts'
import type { Call, Run } from './load.ts'

const problemsKept = 3

/** A call that is sent at a fixed rate, even while earlier calls wait for a response. */
export type Steady = { perSecond: number; nextCall: (due: number) => Call }

/** How long after the time when it was due something happened, in milliseconds. */
export type Delay = { due: number; ms: number }

type Tally = { requests: number; errors: number; problems: string[] }

/**
 * Runs an open loop: latency counts from the time when a call is due. A closed loop sends less while it
 * waits, and therefore misses most of a stall.
 */
export async function runOpenLoad(url: string, calls: Steady[], seconds: number): Promise<Run> {
  const delays: Delay[] = []
  const tally: Tally = { requests: 0, errors: 0, problems: [] }
  const idle: Connection[] = []
  const open: Promise<void>[] = []
  const begin = performance.now()
  const schedule = async ({ perSecond, nextCall }: Steady, offset: number) => {
    for (let sent = 0; sent < perSecond * seconds; sent++) {
      const due = begin + ((sent + offset) / perSecond) * 1000
      await sleep(due - performance.now())
      open.push(sendDue(idle, url, nextCall(due), { due, delays, tally }))
    }
  }
  await Promise.all(calls.map((steady, index) => schedule(steady, index / calls.length)))
  await Promise.all(open)
  for (const connection of idle) connection.close()
  return summarize(delays, tally, seconds)
}

export function summarize(delays: Delay[], tally: Tally, seconds: number): Run {
  const sorted = delays.map(({ ms }) => ms).sort((a, b) => a - b)
  const [p50 = 0, p95 = 0, p99 = 0] = [50, 95, 99].map(
    (part) => sorted[Math.ceil((sorted.length * part) / 100) - 1] ?? Number.NaN,
  )
  const run = { ...tally, made: 0, perSecond: tally.requests / seconds, p50, p95, p99 }
  return { ...run, growth: growthOf(delays) }
}

/** Returns the median delay in the last third of the time minus the median delay in the first third. */
function growthOf(delays: Delay[]): number {
  const inOrder = [...delays].sort((a, b) => a.due - b.due).map(({ ms }) => ms)
  const third = Math.floor(inOrder.length / 3)
  return median(inOrder.slice(-third)) - median(inOrder.slice(0, third))
}

type Counted = { due: number; delays: Delay[]; tally: Tally }

async function sendDue(idle: Connection[], url: string, call: Call, { due, delays, tally }: Counted) {
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
  delays.push({ due, ms: performance.now() - due })
  idle.push(connection)
}
