import type { Database } from './database.ts'
import { type Size, takeNext } from './take-next.ts'
import { boundsOf, databaseOf, databaseUntil, whenAll } from './until.ts'

export type Bounds<Call> = Size<Call> & {
  /** How many batches of one queue may be in flight. */
  running: number
  /** Whether a further batch waits for as many calls as are in flight, so that batches are few and large. */
  evenly?: boolean
  /** How to repeat the calls of a failed batch. If undefined, all of them fail. */
  apart?: (error: unknown) => Apart | undefined
  /** Calls with the same name share a queue when `apart` moves calls to queues of their own. */
  together?: (call: Call) => string
}

/**
 * `halves` repeats a batch in two halves, so that only calls that fail alone fail. `lanes` moves the calls to a queue
 * for each `together` name, where they fail for good. Later calls of that name wait there, and all others go on.
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

/** The key of a queue. `isOwn` marks a queue for the calls of one `together` name. */
export type LaneName = { name: string; isOwn: boolean }

type Lane<Call, Answer> = LaneName & {
  waiting: Waiting<Call, Answer>[]
  running: number
  underWay: number
  isDue: boolean
}

/**
 * Returns a function that batches calls, queue by queue. If the bounds allow another batch, it starts with all calls
 * of this turn of the event loop. Otherwise calls wait until a batch ends. `run` gets an owner's calls in order of
 * arrival, and returns answers in the order of the calls. Its database's signal aborts when those of all callers have.
 * A call whose signal aborts before the batch starts is left out.
 */
export function joining<Call, Answer>(
  bounds: Bounds<Call>,
  run: (db: Database, calls: [Call, ...Call[]], lane: LaneName) => Promise<Answer[]>,
): (db: Database, lane: string, call: Call) => Promise<Answer> {
  // A transaction sees other rows than its database, so its calls are batched among themselves.
  const lanesOf = new WeakMap<Database, Map<string, Lane<Call, Answer>>>()

  const ownLane = (lane: string, call: Call) => `${lane} ${bounds.together?.(call)}`

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
    // The next batch starts before the callers go on, so that the database works meanwhile.
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

/** A batch counts for a caller only if all of its calls are from that caller. */
function databaseFor(db: Database, joined: Bound[]): Database {
  const signal = whenAll(new Set(joined.map(({ signal }) => signal)))
  const [first] = joined
  const caller = joined.every(({ caller }) => caller === first?.caller) ? first?.caller : undefined
  if (signal) return databaseUntil(db, signal, caller)
  return caller === undefined ? db : databaseOf(db, caller)
}
