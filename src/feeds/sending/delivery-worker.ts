import { setMaxListeners } from 'node:events'
import type { EventLog } from '../../events/event-log.ts'
import type { EventListener } from '../../generated/prisma/client.ts'
import { databaseForBackground } from '../../platform/request-database.ts'
import { FairSlots } from '../../platform/scheduling/fair-slots.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import type { Shared } from '../fan-out/listener.ts'
import { WaitingListeners } from '../fan-out/waiting-listeners.ts'
import { type Claim, claimDeliveries, leaseMs } from './claim-deliveries.ts'
import { type DeliveryParts, deliverClaim, freshMs } from './deliver-claim.ts'
import { dueEndpoints, type EndpointKey } from './due-endpoints.ts'
import { type Lease, Leases } from './leases.ts'
import { RequestPlaces } from './request-places.ts'

/** The worker looks for due attempts this often. It immediately claims the deliveries that it creates itself. */
const pollMs = 1000
/** Requests in flight have this long to end before the process stops. */
const stopMs = 1000
/** Listeners that read the log at the same time. */
const fanOuts = { total: 4, each: 3 }
/** The maximum number of deliveries of a queue that are claimed at once. */
const claimedEach = 8

type Options = DeliveryParts & { eventLog: EventLog; onError: (error: unknown) => void }

/** Sends the events of the log to the endpoints. Every process has a worker, and each takes the work that is due. */
export class DeliveryWorker {
  readonly #options: Options
  readonly #listeners: WaitingListeners
  readonly #places = new RequestPlaces()
  readonly #leases = new Leases()
  readonly #fanOuts = new FairSlots(fanOuts)
  /** The workspaces whose listeners read the log now. */
  readonly #fanningOut = new Set<string>()
  /** The IDs of the endpoints that wait for a place. */
  readonly #wanted = new Set<string>()
  /** The IDs of the endpoints that had no free place when they were wanted. */
  readonly #missed = new Set<string>()
  readonly #work = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWoken = false
  #isFailing = false
  #lastPollAt = 0
  #removeListener = () => {}

  constructor(options: Options) {
    this.#options = options
    this.#listeners = new WaitingListeners(this.#db)
    // Many endpoints can wait for a place.
    setMaxListeners(0, this.#stopping.signal)
  }

  start(): void {
    if (this.#isStopped || this.#timer) return
    this.#timer = setInterval(() => this.wake(), pollMs)
    this.#timer.unref()
    this.#removeListener = this.#options.eventLog.onAdvance(() => this.wake())
    this.#leases.start(this.#db, (error) => this.#report(error))
    this.wake()
  }

  /** Looks for work. A call during a run starts another run. */
  wake(): void {
    this.#isWoken = true
    if (this.#isStopped || this.#running) return
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    this.#removeListener()
    await this.#running
    const timer = setTimeout(() => this.#options.sender.close(), stopMs)
    while (this.#work.size > 0) await Promise.all(this.#work)
    clearTimeout(timer)
    this.#leases.stop()
    this.#options.sender.close()
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  get #db() {
    return databaseForBackground(this.#options.shared.db)
  }

  /** The statements of the workspaces take turns, because all of them use one connection. */
  #sharedOf(workspaceID: string): Shared {
    const { shared } = this.#options
    return { ...shared, db: databaseForBackground(shared.db, workspaceID) }
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      try {
        this.#fanOut(await this.#listeners.find())
        await this.#poll()
        this.#isFailing = false
      } catch (error) {
        this.#report(error)
      }
    }
  }

  async #poll(): Promise<void> {
    const now = performance.now()
    if (now - this.#lastPollAt < pollMs / 4) return
    this.#lastPollAt = now
    for (const endpoint of await dueEndpoints(this.#db)) this.#want(endpoint)
  }

  // One workspace with many listeners does not delay the listeners of the others.
  #fanOut(listeners: readonly EventListener[]): void {
    const byWorkspace = new Map<string, EventListener[]>()
    for (const listener of listeners) {
      const own = byWorkspace.get(listener.workspaceID) ?? []
      byWorkspace.set(listener.workspaceID, own)
      own.push(listener)
    }
    for (const [workspaceID, own] of byWorkspace) {
      if (this.#isStopped || this.#fanningOut.has(workspaceID)) continue
      this.#fanningOut.add(workspaceID)
      const work = this.#fanOutAll(own).finally(() => this.#fanningOut.delete(workspaceID))
      // A step reads a part of the log. The next run finds the listeners that are still behind.
      this.#track(work, () => this.wake())
    }
  }

  async #fanOutAll(listeners: readonly EventListener[]): Promise<void> {
    const failures: unknown[] = []
    for (let begin = 0; begin < listeners.length && !this.#isStopped; begin += fanOuts.each) {
      const part = listeners.slice(begin, begin + fanOuts.each)
      await Promise.all(part.map((one) => this.#fanOutTo(one).catch((error) => failures.push(error))))
    }
    if (failures.length > 0) throw failures[0]
  }

  // Uses a place of the workspace, like a request.
  async #fanOutTo(listener: EventListener): Promise<void> {
    const { workspaceID } = listener
    const { signal } = this.#stopping
    const release = await this.#places.takeOne(workspaceID, signal)
    try {
      const end = await this.#fanOuts.acquire(workspaceID, signal)
      try {
        if ((await fanOut(this.#sharedOf(workspaceID), listener)) > 0) this.#want(listener)
      } finally {
        end()
      }
    } finally {
      release()
    }
  }

  #want({ workspaceID, endpointID }: EndpointKey): void {
    const key = { workspaceID, endpointID }
    if (this.#isStopped || this.#wanted.has(endpointID)) return
    if (this.#places.freeFor(key) <= 0) return void this.#missed.add(endpointID)
    this.#missed.delete(endpointID)
    this.#wanted.add(endpointID)
    this.#track(this.#claim(key))
  }

  async #claim(key: EndpointKey): Promise<void> {
    const waiting = this.#places.takeFree(key, this.#stopping.signal)
    const places = await waiting.finally(() => this.#wanted.delete(key.endpointID))
    try {
      const endsAt = performance.now() + leaseMs
      const except = this.#leases.keysOf(key.endpointID)
      const each = Math.min(Math.max(this.#places.requestsIn(freshMs, key), 1), claimedEach)
      const { db } = this.#sharedOf(key.workspaceID)
      const claims = await claimDeliveries(db, key, { queues: places.length, each, except })
      const hasMore = claims.length > 0 && claims.length === places.length
      for (const claim of claims) this.#deliver(claim, { queue: claim.queue, endsAt }, places.pop())
      if (hasMore) this.#want(key)
    } finally {
      for (const release of places) release()
      // A claim holds the free places of its endpoint, and does not see the events that arrive meanwhile.
      if (this.#missed.has(key.endpointID)) this.#want(key)
    }
  }

  #deliver(claim: Claim, lease: Lease, release = () => {}): void {
    const delivering = this.#leases.hold(lease, () =>
      deliverClaim({ ...this.#options, shared: this.#sharedOf(claim.queue.workspaceID) }, claim, {
        lease,
        signal: this.#stopping.signal,
        onAnswer: ({ durationMs }, isFailing) => this.#places.record(claim.queue, { durationMs, isFailing }),
        onError: (error) => this.#report(error),
      }),
    )
    this.#track(delivering.finally(release), () => this.#want(claim.queue))
  }

  /** Remembers work that `stop` waits for. Calls `onSuccess` after it, unless it fails. */
  #track(work: Promise<void>, onSuccess = () => {}): void {
    const tracked = work
      .then(onSuccess, (error: unknown) => this.#report(error))
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }

  // While the database is unavailable, every run fails. Only the first failure is reported.
  #report(error: unknown): void {
    if (this.#isStopped && error === this.#stopping.signal.reason) return
    if (!this.#isFailing) this.#options.onError(error)
    this.#isFailing = true
  }
}
