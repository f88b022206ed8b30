import type { EventLog } from '../../events/event-log.ts'
import type { EventEndpoint, EventListener } from '../../generated/prisma/client.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { WaitingListeners } from '../fan-out/waiting-listeners.ts'
import { SenderClosed } from '../requests/request-sender.ts'
import { type ClaimedDelivery, claimDeliveries, releaseClaim } from './claim-deliveries.ts'
import { type DeliveryParts, deliver } from './deliver.ts'
import { dueEndpoints, type EndpointKey } from './due-endpoints.ts'
import type { DeliveryStatus } from './record-attempt.ts'
import { RequestSlots } from './request-slots.ts'

/** The worker looks for due attempts this often. It immediately claims the deliveries that it creates itself. */
const pollMs = 1000
/** Requests in flight have this long to end before the process stops. */
const stopMs = 1000
const fanOutsAtOnce = 4

type Options = DeliveryParts & { eventLog: EventLog; onError: (error: unknown) => void }

/** Sends the events of the log to the endpoints. Every process has a worker, and each takes the work that is due. */
export class DeliveryWorker {
  readonly #options: Options
  readonly #listeners: WaitingListeners
  readonly #slots = new RequestSlots()
  /** By ID, the endpoints that may have deliveries to claim. The first one is served first. */
  readonly #wanted = new Map<string, EndpointKey>()
  readonly #inFlight = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #claiming: Promise<void> | undefined
  #isWoken = false
  #isFailing = false
  #isStopped = false
  #lastPollAt = 0
  #removeListener = () => {}

  constructor(options: Options) {
    this.#options = options
    this.#listeners = new WaitingListeners(options.shared.db)
  }

  start(): void {
    if (this.#isStopped || this.#timer) return
    this.#timer = setInterval(() => this.wake(), pollMs)
    this.#timer.unref()
    this.#removeListener = this.#options.eventLog.onAdvance(() => this.wake())
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
    this.#isStopped = true
    clearInterval(this.#timer)
    this.#removeListener()
    await this.#running
    await this.#claiming
    const timer = setTimeout(() => this.#options.sender.close(), stopMs)
    await Promise.all(this.#inFlight)
    clearTimeout(timer)
    this.#options.sender.close()
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false
      try {
        await this.#fanOut()
        await this.#poll()
        this.#isFailing = false
      } catch (error) {
        this.#report(error)
      }
    }
  }

  async #fanOut(): Promise<void> {
    const listeners = await this.#listeners.find()
    for (let begin = 0; begin < listeners.length && !this.#isStopped; begin += fanOutsAtOnce)
      await Promise.all(listeners.slice(begin, begin + fanOutsAtOnce).map((one) => this.#fanOutTo(one)))
    // A step reads a part of the log. The next run finds the listeners that are still behind.
    this.#isWoken ||= listeners.length > 0
  }

  async #fanOutTo(listener: EventListener): Promise<void> {
    const endpoint = await this.#endpointOf(listener)
    if (!endpoint) return
    await fanOut(this.#options.shared, endpoint, listener)
    this.#want(listener)
  }

  async #poll(): Promise<void> {
    const now = performance.now()
    if (now - this.#lastPollAt < pollMs / 4) return
    this.#lastPollAt = now
    for (const endpoint of await dueEndpoints(this.#options.shared.db, new Date())) this.#want(endpoint)
  }

  #want(endpoint: EndpointKey): void {
    const { workspaceID, endpointID } = endpoint
    if (!this.#wanted.has(endpointID)) this.#wanted.set(endpointID, { workspaceID, endpointID })
    this.#claimMore()
  }

  #claimMore(): void {
    if (this.#claiming || this.#isStopped || this.#slots.isFull || this.#wanted.size === 0) return
    this.#claiming = this.#claimAll()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#claiming = undefined
        this.#claimMore()
      })
  }

  // Also visits the endpoints that are added while it runs.
  async #claimAll(): Promise<void> {
    for (const [endpointID, key] of this.#wanted) {
      if (this.#slots.isFull || this.#isStopped) return
      this.#wanted.delete(endpointID)
      await this.#claim(key)
    }
  }

  async #claim(key: EndpointKey): Promise<void> {
    const count = this.#slots.freeFor(key)
    if (count <= 0) return
    const { db, config } = this.#options.shared
    const timeoutMs = config.eventTimeoutSeconds * 1000
    const claimed = await claimDeliveries(db, key, { count, now: new Date(), timeoutMs })
    for (const one of claimed) this.#start(one)
  }

  #start(claimed: ClaimedDelivery): void {
    this.#slots.take(claimed.queue)
    const work = this.#deliver(claimed).then((status) => {
      this.#inFlight.delete(work)
      // A dropped delivery does not show whether the endpoint fails, because nothing was sent.
      this.#slots.release(claimed.queue, status === 'dropped' ? undefined : status !== 'succeeded')
      this.#want(claimed.queue)
    })
    this.#inFlight.add(work)
  }

  async #deliver(claimed: ClaimedDelivery): Promise<DeliveryStatus> {
    try {
      return await deliver(this.#options, claimed)
    } catch (error) {
      if (!(error instanceof SenderClosed)) this.#report(error)
      const released = releaseClaim(this.#options.shared.db, claimed.queue, error instanceof SenderClosed)
      await released.catch((failure: unknown) => this.#report(failure))
      return 'pending'
    }
  }

  #endpointOf({ workspaceID, endpointID: id }: EndpointKey): Promise<EventEndpoint | null> {
    const where = { workspaceID_id: { workspaceID, id }, state: 'active', deletedAt: null }
    return this.#options.shared.db.eventEndpoint.findUnique({ where })
  }

  // While the database is unavailable, every run fails. Only the first failure is reported.
  #report(error: unknown): void {
    if (!this.#isFailing) this.#options.onError(error)
    this.#isFailing = true
  }
}
