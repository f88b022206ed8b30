import type { Database } from './database.ts'
import { boundsOf, databaseUntil, whenAll } from './until.ts'

export type Bounds<Call> = {
  /** How many joint calls of one lane may be under way at once. */
  running: number
  /** Whether a further one waits for as many calls as are under way, so that they are few and large. */
  evenly?: boolean
  /** How many calls one joint call may hold. */
  calls: number
  /** What their sizes may add up to, and the size of one; a call that is larger goes alone. */
  size?: { max: number; of: (call: Call) => number }
  /**
   * Whether after this failure the calls are to be made apart, so that none fails by another: undefined for not, else
   * what those have in common that stay together.
   */
  apart?: (error: unknown) => ((call: Call) => unknown) | undefined
}

type Waiting<Call, Answer> = {
  call: Call
  signal: AbortSignal | undefined
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

type Outcomes<Call, Answer> = [Waiting<Call, Answer>, PromiseSettledResult<Answer>][]

type Lane<Call, Answer> = {
  waiting: Waiting<Call, Answer>[]
  running: number
  underWay: number
  isDue: boolean
}

/**
 * Joins calls into joint ones, lane by lane. Where nothing is under way, a call starts with the others of the same
 * turn of the event loop; else it waits for the next joint call, with all that come until then. `run` gets the calls
 * in the order in which they came, and resolves to their answers in that order; when it fails, all of them fail. It
 * gets the database until the last of its callers is gone; who is gone before its call starts is left out.
 */
export function joining<Call, Answer>(
  bounds: Bounds<Call>,
  run: (db: Database, calls: [Call, ...Call[]]) => Promise<Answer[]>,
): (db: Database, lane: string, call: Call) => Promise<Answer> {
  // A transaction sees other rows than its database, so its calls are joined among themselves.
  const lanesOf = new WeakMap<Database, Map<string, Lane<Call, Answer>>>()

  /** What became of each call. Those of a failure that are to be apart are made again, group by group. */
  async function outcomesOf(db: Database, joined: Waiting<Call, Answer>[]): Promise<Outcomes<Call, Answer>> {
    try {
      const answers = await run(databaseFor(db, joined), joined.map(({ call }) => call) as [Call, ...Call[]])
      return joined.map((one, index) => [one, { status: 'fulfilled', value: answers[index] as Answer }])
    } catch (reason) {
      const groups = grouped(joined, bounds.apart?.(reason))
      if (groups.length === 1) return joined.map((one) => [one, { status: 'rejected', reason }])
      const outcomes: Outcomes<Call, Answer> = []
      for (const group of groups) outcomes.push(...(await outcomesOf(db, group)))
      return outcomes
    }
  }

  async function start(db: Database, name: string): Promise<void> {
    const lanes = lanesOf.get(db)
    const lane = lanes?.get(name)
    if (!lanes || !lane) return
    dropAborted(lane)
    const joined = lane.waiting.splice(0, fitting(lane.waiting, bounds))
    lane.isDue = false
    if (joined.length === 0) return void (lane.running === 0 && lanes.delete(name))
    lane.running += 1
    lane.underWay += joined.length
    schedule(db, name, lane)
    const outcomes = await outcomesOf(db, joined)
    lane.running -= 1
    lane.underWay -= joined.length
    // The next ones go before the callers hear, so that the database works while they go on.
    if (!lane.isDue && mayStart(lane, bounds)) start(db, name)
    else if (!lane.isDue && lane.running === 0) lanes.delete(name)
    for (const [{ resolve, reject }, outcome] of outcomes) {
      if (outcome.status === 'rejected') reject(outcome.reason)
      else resolve(outcome.value)
    }
  }

  function schedule(db: Database, name: string, lane: Lane<Call, Answer>): void {
    if (lane.isDue || !mayStart(lane, bounds)) return
    lane.isDue = true
    setImmediate(start, db, name)
  }

  return (given, name, call) =>
    new Promise((resolve, reject) => {
      const { shared: db, signal } = boundsOf(given)
      const lanes = lanesOf.get(db) ?? new Map<string, Lane<Call, Answer>>()
      lanesOf.set(db, lanes)
      const lane = lanes.get(name) ?? { waiting: [], running: 0, underWay: 0, isDue: false }
      lanes.set(name, lane)
      lane.waiting.push({ call, signal, resolve, reject })
      schedule(db, name, lane)
    })
}

function mayStart<Call, Answer>(
  { waiting, running, underWay }: Lane<Call, Answer>,
  bounds: Bounds<Call>,
): boolean {
  const enough = bounds.evenly ? Math.max(1, underWay) : 1
  return waiting.length >= enough && running < bounds.running
}

function dropAborted<Call, Answer>(lane: Lane<Call, Answer>): void {
  if (!lane.waiting.some(({ signal }) => signal?.aborted)) return
  const [gone, waiting] = [[], []] as [Waiting<Call, Answer>[], Waiting<Call, Answer>[]]
  for (const one of lane.waiting) (one.signal?.aborted ? gone : waiting).push(one)
  lane.waiting = waiting
  for (const { reject, signal } of gone) reject(signal?.reason)
}

function databaseFor(db: Database, joined: { signal: AbortSignal | undefined }[]): Database {
  const signal = whenAll(new Set(joined.map(({ signal }) => signal)))
  return signal ? databaseUntil(db, signal) : db
}

/** By what they have in common; all together without it. */
function grouped<Call, Answer>(
  joined: Waiting<Call, Answer>[],
  commonOf: (call: Call) => unknown = () => undefined,
): Waiting<Call, Answer>[][] {
  const groups = new Map<unknown, Waiting<Call, Answer>[]>()
  for (const one of joined) {
    const common = commonOf(one.call)
    const group = groups.get(common)
    if (group) group.push(one)
    else groups.set(common, [one])
  }
  return [...groups.values()]
}

/** How many of those that wait fit into one joint call: at least one. */
function fitting<Call>(waiting: { call: Call }[], { calls, size }: Bounds<Call>): number {
  if (!size) return calls
  let total = 0
  const firstTooMany = waiting.findIndex(({ call }) => {
    total += size.of(call)
    return total > size.max
  })
  return firstTooMany < 0 ? calls : Math.max(1, Math.min(calls, firstTooMany))
}
