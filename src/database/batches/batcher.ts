import { boundsOf, databaseOf, databaseUntil, whenAll } from '../../platform/until.ts'
import type { Database } from '../database.ts'
import { type Size, takeNext } from './take-next.ts'

export type Bounds<Call> = Size<Call> & {
  /** How many batches of one queue may be in flight. */
  running: number
  /** Whether a further batch waits for as many calls as are in flight, so that batches are few and large. */
  evenly?: boolean
  /** How to repeat the calls of a failed batch. If undefined, all of them fail. */
  splitOnError?: (error: unknown) => SplitOnError | undefined
  /** Calls with the same key share a queue when `splitOnError` moves calls to queues of their own. */
  splitKey?: (call: Call) => string
}

/**
 * `halves` repeats a batch in two halves, so that only calls that fail alone fail. `queues` moves the calls to a queue
 * for each `splitKey`, where they fail for good. Later calls with that key wait there, and all others go on.
 */
export type SplitOnError = 'halves' | 'queues'

type Waiting<Call, Answer> = {
  call: Call
  signal: AbortSignal | undefined
  caller: string | undefined
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

type Outcomes<Call, Answer> = [Waiting<Call, Answer>, PromiseSettledResult<Answer>][]

/** The key of a queue. `isOwn` marks a queue for the calls of one `splitKey`. */
export type QueueKey = { key: string; isOwn: boolean }

type Queue<Call, Answer> = QueueKey & {
  waiting: Waiting<Call, Answer>[]
  running: number
  callsInFlight: number
  isDue: boolean
}

/**
 * Returns a function that batches calls, queue by queue. If the bounds allow another batch, it starts with all calls
 * of this turn of the event loop. Otherwise calls wait until a batch ends. `run` gets an owner's calls in order of
 * arrival, and returns answers in the order of the calls. Its database's signal aborts when those of all callers have.
 * A call whose signal aborts before the batch starts is left out.
 */
export function batcher<Call, Answer>(
  bounds: Bounds<Call>,
  run: (db: Database, calls: [Call, ...Call[]], queue: QueueKey) => Promise<Answer[]>,
): (db: Database, queue: string, call: Call) => Promise<Answer> {
  // A transaction sees other rows than its database, so its calls are batched among themselves.
  const queuesOf = new WeakMap<Database, Map<string, Queue<Call, Answer>>>()

  const ownQueue = (queue: string, call: Call) => `${queue} ${bounds.splitKey?.(call)}`

  async function outcomesOf(
    db: Database,
    queue: QueueKey,
    batch: Waiting<Call, Answer>[],
  ): Promise<Outcomes<Call, Answer>> {
    try {
      const calls = batch.map(({ call }) => call) as [Call, ...Call[]]
      const answers = await run(databaseFor(db, batch), calls, queue)
      return batch.map((one, index) => [one, { status: 'fulfilled', value: answers[index] as Answer }])
    } catch (reason) {
      const splitOnError = bounds.splitOnError?.(reason)
      if (splitOnError === 'halves' && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2)
        const first = await outcomesOf(db, queue, batch.slice(0, middle))
        return [...first, ...(await outcomesOf(db, queue, batch.slice(middle)))]
      }
      if (splitOnError === 'queues' && !queue.isOwn) {
        for (const one of batch) enqueue(db, { key: ownQueue(queue.key, one.call), isOwn: true }, one)
        return []
      }
      return batch.map((one) => [one, { status: 'rejected', reason }])
    }
  }

  async function start(db: Database, key: string): Promise<void> {
    const queues = queuesOf.get(db)
    const queue = queues?.get(key)
    if (!queues || !queue) return
    dropAborted(queue)
    const batch = takeNext(queue, bounds)
    queue.isDue = false
    if (batch.length === 0) return void (queue.running === 0 && queues.delete(key))
    queue.running += 1
    queue.callsInFlight += batch.length
    schedule(db, key, queue)
    const outcomes = await outcomesOf(db, queue, batch)
    queue.running -= 1
    queue.callsInFlight -= batch.length
    // The next batch starts before the callers go on, so that the database works meanwhile.
    if (!queue.isDue && mayStart(queue, bounds)) start(db, key)
    else if (!queue.isDue && queue.running === 0) queues.delete(key)
    for (const [{ resolve, reject }, outcome] of outcomes) {
      if (outcome.status === 'rejected') reject(outcome.reason)
      else resolve(outcome.value)
    }
  }

  function schedule(db: Database, key: string, queue: Queue<Call, Answer>): void {
    if (queue.isDue || !mayStart(queue, bounds)) return
    queue.isDue = true
    setImmediate(start, db, key)
  }

  function enqueue(db: Database, { key, isOwn }: QueueKey, one: Waiting<Call, Answer>): void {
    const queues = queuesOf.get(db) ?? new Map<string, Queue<Call, Answer>>()
    queuesOf.set(db, queues)
    const queue = queues.get(key) ?? { key, isOwn, waiting: [], running: 0, callsInFlight: 0, isDue: false }
    queues.set(key, queue)
    queue.waiting.push(one)
    schedule(db, key, queue)
  }

  return (database, key, call) =>
    new Promise((resolve, reject) => {
      const { shared: db, signal, caller } = boundsOf(database)
      const own = ownQueue(key, call)
      const isOwn = queuesOf.get(db)?.has(own) ?? false
      enqueue(db, { key: isOwn ? own : key, isOwn }, { call, signal, caller, resolve, reject })
    })
}

function mayStart<Call, Answer>(
  { waiting, running, callsInFlight }: Queue<Call, Answer>,
  bounds: Bounds<Call>,
): boolean {
  const enough = bounds.evenly ? Math.max(1, callsInFlight) : 1
  return waiting.length >= enough && running < bounds.running
}

function dropAborted<Call, Answer>(queue: Queue<Call, Answer>): void {
  if (!queue.waiting.some(({ signal }) => signal?.aborted)) return
  const [gone, waiting] = [[], []] as [Waiting<Call, Answer>[], Waiting<Call, Answer>[]]
  for (const one of queue.waiting) (one.signal?.aborted ? gone : waiting).push(one)
  queue.waiting = waiting
  for (const { reject, signal } of gone) reject(signal?.reason)
}

type Bound = { signal: AbortSignal | undefined; caller: string | undefined }

/** A batch counts for a caller only if all of its calls are from that caller. */
function databaseFor(db: Database, batch: Bound[]): Database {
  const signal = whenAll(new Set(batch.map(({ signal }) => signal)))
  const [first] = batch
  const caller = batch.every(({ caller }) => caller === first?.caller) ? first?.caller : undefined
  if (signal) return databaseUntil(db, signal, caller)
  return caller === undefined ? db : databaseOf(db, caller)
}
