import {
  bindingOf,
  databaseForCaller,
  databaseForRequest,
  type RequestBinding,
  whenAll,
} from '../../platform/request-database.ts'
import type { Signal } from '../../platform/request-signal.ts'
import { endSpan, inBatch, type Span, startSpan } from '../../platform/tracing.ts'
import type { Database } from '../database.ts'
import { type Size, takeNext } from './take-next.ts'

export type BatchLimits<Call> = Size<Call> & {
  /** The maximum number of batches of one queue that are in flight. */
  running: number
  /** A batch waits until as many calls wait as are in flight. Therefore batches are few and large. */
  waitsForEqualBatch?: boolean
  /** Returns how to repeat the calls of a failed batch, or undefined to reject all of them. */
  splitOnError?: (error: unknown) => SplitOnError | undefined
  /** If `splitOnError` returns `queues`, calls with the same key go to the same queue. */
  splitKey?: (call: Call) => string
  meter?: BatchMeter
}

/** Learns the change of the number of waiting calls, and the size of each batch. */
export type BatchMeter = { queued(change: number): void; started(calls: number): void }

/** `halves` rejects only the calls that fail. `queues` repeats the calls in new queues, one for each `splitKey`. */
export type SplitOnError = 'halves' | 'queues'

type WaitingCall<Call, Answer> = {
  call: Call
  signal: Signal | undefined
  caller: string | undefined
  /** The wait in the queue, in the trace of the request. */
  span: Span | undefined
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

type Outcomes<Call, Answer> = [WaitingCall<Call, Answer>, PromiseSettledResult<Answer>][]

/** `isSplitQueue` marks a queue for the calls of one `splitKey`. */
export type QueueKey = { key: string; isSplitQueue: boolean }

type Queue<Call, Answer> = QueueKey & {
  waiting: WaitingCall<Call, Answer>[]
  running: number
  callsInFlight: number
  isScheduled: boolean
}

/**
 * Returns a function that runs the calls of a queue in batches. A batch has the calls of one turn of the
 * event loop, or the calls that waited while other batches ran. `run` receives the calls of an owner in order
 * of arrival, and returns one answer for each call, in the same order. A call whose signal aborts before its
 * batch starts is not run. A running batch is aborted when the signals of all its calls have aborted.
 */
export function batcher<Call, Answer>(
  limits: BatchLimits<Call>,
  run: (db: Database, calls: [Call, ...Call[]], queue: QueueKey) => Promise<Answer[]>,
): (db: Database, queue: string, call: Call) => Promise<Answer> {
  // Calls of a transaction are batched only with each other, because only the transaction sees its uncommitted rows.
  const queuesOf = new WeakMap<Database, Map<string, Queue<Call, Answer>>>()

  const ownQueue = (queue: string, call: Call) => `${queue} ${limits.splitKey?.(call)}`

  async function outcomesOf(
    db: Database,
    queue: QueueKey,
    batch: WaitingCall<Call, Answer>[],
  ): Promise<Outcomes<Call, Answer>> {
    const { own, release } = databaseFor(db, batch)
    try {
      const calls = batch.map(({ call }) => call) as [Call, ...Call[]]
      const spans = batch.map(({ span }) => span)
      const answers = await inBatch(spans, () => run(own, calls, queue))
      return batch.map((one, index) => [one, { status: 'fulfilled', value: answers[index] as Answer }])
    } catch (reason) {
      const splitOnError = limits.splitOnError?.(reason)
      if (splitOnError === 'halves' && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2)
        const first = await outcomesOf(db, queue, batch.slice(0, middle))
        return [...first, ...(await outcomesOf(db, queue, batch.slice(middle)))]
      }
      if (splitOnError === 'queues' && !queue.isSplitQueue) {
        for (const one of batch) enqueue(db, { key: ownQueue(queue.key, one.call), isSplitQueue: true }, one)
        // The new queues answer the calls. Later calls with the same keys also use them. Other calls use this queue.
        return []
      }
      return batch.map((one) => [one, { status: 'rejected', reason }])
    } finally {
      release()
    }
  }

  async function start(db: Database, key: string): Promise<void> {
    const queues = queuesOf.get(db)
    const queue = queues?.get(key)
    if (!queues || !queue) return
    const waiting = queue.waiting.length
    dropAborted(queue)
    const batch = takeNext(queue, limits)
    limits.meter?.queued(queue.waiting.length - waiting)
    queue.isScheduled = false
    if (batch.length === 0) return void (queue.running === 0 && queues.delete(key))
    limits.meter?.started(batch.length)
    queue.running += 1
    queue.callsInFlight += batch.length
    schedule(db, key, queue)
    const outcomes = await outcomesOf(db, queue, batch)
    queue.running -= 1
    queue.callsInFlight -= batch.length
    // Starts the next batch before the callers continue. Then the database works at the same time as the callers.
    if (!queue.isScheduled && mayStart(queue, limits)) start(db, key)
    else if (!queue.isScheduled && queue.running === 0) queues.delete(key)
    for (const [{ resolve, reject, span }, outcome] of outcomes) {
      endSpan(span)
      if (outcome.status === 'rejected') reject(outcome.reason)
      else resolve(outcome.value)
    }
  }

  function schedule(db: Database, key: string, queue: Queue<Call, Answer>): void {
    if (queue.isScheduled || !mayStart(queue, limits)) return
    queue.isScheduled = true
    setImmediate(start, db, key)
  }

  function enqueue(db: Database, { key, isSplitQueue }: QueueKey, one: WaitingCall<Call, Answer>): void {
    const queues = queuesOf.get(db) ?? new Map<string, Queue<Call, Answer>>()
    queuesOf.set(db, queues)
    const queue = queues.get(key) ?? {
      key,
      isSplitQueue,
      waiting: [],
      running: 0,
      callsInFlight: 0,
      isScheduled: false,
    }
    queues.set(key, queue)
    queue.waiting.push(one)
    limits.meter?.queued(1)
    schedule(db, key, queue)
  }

  return (database, key, call) =>
    new Promise((resolve, reject) => {
      const { shared: db, signal, caller } = bindingOf(database)
      const own = ownQueue(key, call)
      const span = startSpan('queue')
      const isSplitQueue = queuesOf.get(db)?.has(own) ?? false
      enqueue(
        db,
        { key: isSplitQueue ? own : key, isSplitQueue },
        { call, signal, caller, span, resolve, reject },
      )
    })
}

function mayStart<Call, Answer>(
  { waiting, running, callsInFlight }: Queue<Call, Answer>,
  limits: BatchLimits<Call>,
): boolean {
  const enough = limits.waitsForEqualBatch ? Math.max(1, callsInFlight) : 1
  return waiting.length >= enough && running < limits.running
}

function dropAborted<Call, Answer>(queue: Queue<Call, Answer>): void {
  if (!queue.waiting.some(({ signal }) => signal?.aborted)) return
  const [aborted, waiting] = [[], []] as [WaitingCall<Call, Answer>[], WaitingCall<Call, Answer>[]]
  for (const one of queue.waiting) (one.signal?.aborted ? aborted : waiting).push(one)
  queue.waiting = waiting
  for (const { reject, signal, span } of aborted) {
    endSpan(span, signal?.reason)
    reject(signal?.reason)
  }
}

// A batch uses a caller's share of the connections only if all of its calls are from that caller.
function databaseFor(
  db: Database,
  batch: Omit<RequestBinding<Database>, 'shared'>[],
): { own: Database; release: () => void } {
  const { signal, release } = whenAll(new Set(batch.map(({ signal }) => signal)))
  const [first] = batch
  const caller = batch.every(({ caller }) => caller === first?.caller) ? first?.caller : undefined
  if (signal) return { own: databaseForRequest(db, signal, caller), release }
  return { own: caller === undefined ? db : databaseForCaller(db, caller), release }
}
