import type { EndpointKey } from './due-endpoints.ts'

const [maxInFlight, maxPerEndpoint] = [256, 16]

type Use = { inFlight: number; isFailing: boolean }

/** Limits the requests in flight from this process. A failing endpoint gets one request at a time. */
export class RequestSlots {
  readonly #uses = new Map<string, Use>()
  #inFlight = 0

  freeFor(endpoint: EndpointKey): number {
    const { inFlight, isFailing } = this.#useOf(endpoint)
    return Math.min((isFailing ? 1 : maxPerEndpoint) - inFlight, maxInFlight - this.#inFlight)
  }

  get isFull(): boolean {
    return this.#inFlight >= maxInFlight
  }

  take(endpoint: EndpointKey): void {
    const { inFlight, isFailing } = this.#useOf(endpoint)
    this.#inFlight += 1
    this.#uses.set(endpoint.endpointID, { inFlight: inFlight + 1, isFailing })
  }

  /** By default, `isFailing` does not change. */
  release({ endpointID }: EndpointKey, isFailing = this.#uses.get(endpointID)?.isFailing ?? false): void {
    const inFlight = (this.#uses.get(endpointID)?.inFlight ?? 1) - 1
    this.#inFlight -= 1
    if (inFlight === 0 && !isFailing) this.#uses.delete(endpointID)
    else this.#uses.set(endpointID, { inFlight, isFailing })
  }

  #useOf({ endpointID }: EndpointKey): Use {
    return this.#uses.get(endpointID) ?? { inFlight: 0, isFailing: false }
  }
}
