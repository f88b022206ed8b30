import type { Database } from './database.ts'
import { type Size, takeNext } from './take-next.ts'
import { boundsOf, databaseOf, databaseUntil, whenAll } from './until.ts'

export type Bounds<Call> = Size<Call> & {
  /** How many joint calls of one lane may be under way at once. */
  running: number
  /** Whether a further one waits for as many calls as are under way, so that they are few and large. */
  evenly?: boolean
  /** What to do with the calls of a joint call that failed. Undefined fails all of them. */
  apart?: (error: unknown) => Apart | undefined
  /** Calls with the same name stay together when calls are put into lanes of their own. */
  together?: (call: Call) => string
}

/**
 * `halves` makes the calls again in two halves, so that only those fail that fail alone. `lanes` makes them again in a
 * lane of their own for each name of `together`, where they fail for good. While such a lane exists, later calls of its
 * name wait in it, and all other calls go on.
 */
export type Apart = 'halves' | 'lanes'

type Waiting<Call, Answer> = {
  call: Call
  signal: AbortSignal | undefined
  caller: string | undefined
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

type Outcomes<Call, Answer> = [Waiting<Call, Answer>, PromiseSettledResult<Answer>][]

/** A queue of calls that may go together. `isOwn` says that it holds the calls of one name, apart from the others. */
export type LaneName = { name: string; isOwn: boolean }

type Lane<Call, Answer> = LaneName & {
  waiting: Waiting<Call, Answer>[]
  running: number
  underWay: number
  isDue: boolean
}

/**
 * Joins calls into joint ones, lane by lane. Where nothing is under way, a call starts with the others of the same
 * turn of the event loop; else it waits for the next joint call, with all that come until then. `run` gets the calls
 * of an owner in the order in which they came, and resolves to the answers in the order of the calls. It gets the
 * database until the last of its callers is gone; who is gone before its call starts is left out.
 */
export function joining<Call, Answer>(
  bounds: Bounds<Call>,
  run: (db: Database, calls: [Call, ...Call[]], lane: LaneName) => Promise<Answer[]>,
): (db: Database, lane: string, call: Call) => Promise<Answer> {
  // A transaction sees other rows than its database, so its calls are joined among themselves.
  const lanesOf = new WeakMap<Database, Map<string, Lane<Call, Answer>>>()

  const ownLane = (lane: string, call: Call) => `${lane} ${bounds.together?.(call)}`

  /** The result of each call, without those that were put into lanes of their own. */
  async function outcomesOf(
    db: Database,
    lane: LaneName,
    joined: Waiting<Call, Answer>[],
  ): Promise<Outcomes<Call, Answer>> {
    try {
      const calls = joined.map(({ call }) => call) as [Call, ...Call[]]
      const answers = await run(databaseFor(db, joined), calls, lane)
      return joined.map((one, index) => [one, { status: 'fulfilled', value: answers[index] as Answer }])
    } catch (reason) {
      const apart = bounds.apart?.(reason)
      if (apart === 'halves' && joined.length > 1) {
        const middle = Math.ceil(joined.length / 2)
        const first = await outcomesOf(db, lane, joined.slice(0, middle))
        return [...first, ...(await outcomesOf(db, lane, joined.slice(middle)))]
      }
      if (apart === 'lanes' && !lane.isOwn) {
        for (const one of joined) enqueue(db, { name: ownLane(lane.name, one.call), isOwn: true }, one)
        return []
      }
      return joined.map((one) => [one, { status: 'rejected', reason }])
    }
  }

  async function start(db: Database, name: string): Promise<void> {
    const lanes = lanesOf.get(db)
    const lane = lanes?.get(name)
    if (!lanes || !lane) return
    dropAborted(lane)
    const joined = takeNext(lane, bounds)
    lane.isDue = false
    if (joined.length === 0) return void (lane.running === 0 && lanes.delete(name))
    lane.running += 1
    lane.underWay += joined.length
    schedule(db, name, lane)
    const outcomes = await outcomesOf(db, lane, joined)
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

  function enqueue(db: Database, { name, isOwn }: LaneName, one: Waiting<Call, Answer>): void {
    const lanes = lanesOf.get(db) ?? new Map<string, Lane<Call, Answer>>()
    lanesOf.set(db, lanes)
    const lane = lanes.get(name) ?? { name, isOwn, waiting: [], running: 0, underWay: 0, isDue: false }
    lanes.set(name, lane)
    lane.waiting.push(one)
    schedule(db, name, lane)
  }

  return (given, name, call) =>
    new Promise((resolve, reject) => {
      const { shared: db, signal, caller } = boundsOf(given)
      const own = ownLane(name, call)
      const isOwn = lanesOf.get(db)?.has(own) ?? false
      enqueue(db, { name: isOwn ? own : name, isOwn }, { call, signal, caller, resolve, reject })
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

type Bound = { signal: AbortSignal | undefined; caller: string | undefined }

/** It counts for a caller only if all of it is for that one. */
function databaseFor(db: Database, joined: Bound[]): Database {
  const signal = whenAll(new Set(joined.map(({ signal }) => signal)))
  const [first] = joined
  const caller = joined.every(({ caller }) => caller === first?.caller) ? first?.caller : undefined
  if (signal) return databaseUntil(db, signal, caller)
  return caller === undefined ? db : databaseOf(db, caller)
}
