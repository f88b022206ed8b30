import { FairSlots } from '../../platform/scheduling/fair-slots.ts'
import type { EndpointKey } from './due-endpoints.ts'

/** The requests that one process has in flight at most. One workspace never uses all places. */
const places = { total: 256, ofWorkspace: 64, ofEndpoint: 16, ofSlowEndpoint: 2, ofFailingEndpoint: 1 }
/** An endpoint whose requests take longer than this on average has fewer places. */
const quickMs = 1000
/** Each request changes the average by this part of the difference. */
const weight = 1 / 4

type Use = { inFlight: number; isFailing: boolean; averageMs: number }
type Release = () => void

/** The places for requests. A place that becomes free goes to the waiting workspaces in turn. */
export class RequestPlaces {
  readonly #slots = new FairSlots({ total: places.total, each: places.ofWorkspace })
  readonly #uses = new Map<string, Use>()

  /** Waits for a place for other work of a workspace. */
  takeOne(workspaceID: string, signal: AbortSignal): Promise<Release> {
    return this.#slots.acquire(workspaceID, signal)
  }

  /** Waits for a place, and takes all places that are free for the endpoint then. */
  async takeFree(endpoint: EndpointKey, signal: AbortSignal): Promise<Release[]> {
    const taken: Release[] = [await this.#slots.acquire(endpoint.workspaceID, signal)]
    const free = this.freeFor(endpoint)
    while (taken.length < free) {
      const next = this.#slots.tryAcquire(endpoint.workspaceID)
      if (!next) break
      taken.push(next)
    }
    // While the endpoint waited, it may have begun to fail.
    for (const release of taken.splice(Math.max(free, 0))) release()
    return taken.map((release) => this.#use(endpoint, release))
  }

  freeFor(endpoint: EndpointKey): number {
    const { inFlight, isFailing, averageMs } = this.#useOf(endpoint)
    if (isFailing) return places.ofFailingEndpoint - inFlight
    const quick = Math.floor((places.ofEndpoint * quickMs) / Math.max(averageMs, quickMs))
    return Math.max(quick, places.ofSlowEndpoint) - inFlight
  }

  /** Returns how many requests of the endpoint follow one another in this time, according to its average. */
  requestsIn(ms: number, endpoint: EndpointKey): number {
    return Math.floor(ms / this.#useOf(endpoint).averageMs)
  }

  /** A failing endpoint has one place until a request succeeds. */
  record(endpoint: EndpointKey, { durationMs, isFailing }: { durationMs: number; isFailing: boolean }): void {
    const use = this.#useOf(endpoint)
    const averageMs = use.averageMs + weight * (durationMs - use.averageMs)
    this.#uses.set(endpoint.endpointID, { ...use, averageMs, isFailing })
  }

  #use(endpoint: EndpointKey, release: Release): Release {
    this.#change(endpoint, 1)
    return () => {
      this.#change(endpoint, -1)
      release()
    }
  }

  #change(endpoint: EndpointKey, difference: number): void {
    const use = this.#useOf(endpoint)
    const inFlight = use.inFlight + difference
    if (inFlight === 0 && !use.isFailing && use.averageMs < quickMs) this.#uses.delete(endpoint.endpointID)
    else this.#uses.set(endpoint.endpointID, { ...use, inFlight })
  }

  #useOf({ endpointID }: EndpointKey): Use {
    return this.#uses.get(endpointID) ?? { inFlight: 0, isFailing: false, averageMs: 0 }
  }
}
