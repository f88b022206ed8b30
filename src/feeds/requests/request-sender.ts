import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { AllowedAddresses } from './allowed-addresses.ts'
import { type RequestResult, readResponse } from './read-response.ts'
import { hostResolver, type ResolveHost } from './resolve-host.ts'

type Options = {
  /** The setting EVENT_ALLOW_PRIVATE_ADDRESSES. */
  networks: readonly string[]
  timeoutMs: number
  resolve?: ResolveHost
}
type SentRequest = { url: string; headers: Record<string, string>; body: string }
type RequestOptions = http.RequestOptions & { body: string; signal: AbortSignal }

const agentOptions = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 }

class AddressRefused extends Error {}
class PortRefused extends Error {}
class TimedOut extends Error {}
/** The sender was closed before the response arrived. It is unknown whether the receiver got the request. */
export class SenderClosed extends Error {}

/** Sends requests to addresses that are allowed. Does not follow redirects. */
export class RequestSender {
  readonly #addresses: AllowedAddresses
  readonly #timeoutMs: number
  readonly #resolve: ResolveHost
  readonly #inFlight = new Set<AbortController>()
  #isClosed = false
  readonly #agents = { http: new http.Agent(agentOptions), https: new https.Agent(agentOptions) }

  constructor({ networks, timeoutMs, resolve }: Options) {
    this.#addresses = new AllowedAddresses(networks)
    this.#timeoutMs = timeoutMs
    this.#resolve = resolve ?? hostResolver({ knowsOwnNames: !this.#addresses.isEmpty })
  }

  /** Rejects only with `SenderClosed`. The result reports any other error. */
  async send({ url, headers, body }: SentRequest): Promise<RequestResult> {
    if (this.#isClosed) throw new SenderClosed()
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new TimedOut()), this.#timeoutMs)
    this.#inFlight.add(abort)
    try {
      return await this.#send(new URL(url), {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        body,
        signal: abort.signal,
      })
    } catch (error) {
      const reason = abort.signal.aborted ? abort.signal.reason : error
      if (reason instanceof SenderClosed) throw reason
      return { status: null, response: null, error: textOf(reason, this.#timeoutMs) }
    } finally {
      clearTimeout(timer)
      this.#inFlight.delete(abort)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const abort of this.#inFlight) abort.abort(new SenderClosed())
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** With `agent: false`, the request gets a connection of its own. */
  #send(url: URL, options: RequestOptions): Promise<RequestResult> {
    const isSecure = url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!this.#addresses.allowsPort(url)) throw new PortRefused()
    // Node does not look up a host that is an address.
    if (isIP(host) !== 0 && !this.#addresses.allows(host, url)) throw new AddressRefused()
    const [client, agent] = isSecure ? [https, this.#agents.https] : [http, this.#agents.http]
    const { body, ...others } = options
    return new Promise<RequestResult>((resolve, reject) => {
      const request = client.request(url, { agent, ...others, lookup: this.#lookup(url) })
      const isUnanswered = unansweredOn(request)
      request.on('error', (error) => {
        // A receiver can close a kept connection while the request is sent. That says nothing about the receiver.
        const isRepeated = request.reusedSocket && isUnanswered() && !options.signal.aborted
        if (isRepeated) resolve(this.#send(url, { ...options, agent: false }))
        else reject(error)
      })
      request.on('response', (response) => resolve(readResponse(response)))
      request.on('upgrade', ({ statusCode: status = null }, socket) => {
        socket.destroy()
        resolve({ status, response: null, error: null })
      })
      request.end(body)
    })
  }

  // A name is checked when the connection is made, because it can have another address by then.
  #lookup(url: URL): LookupFunction {
    return (hostname, options, callback) => {
      this.#resolve(hostname, { ...options, all: true }, (error, addresses) => {
        if (error) return callback(error, [])
        const allowed = addresses.filter(({ address }) => this.#addresses.allows(address, url))
        const [first] = allowed
        if (!first) return callback(new AddressRefused(), [])
        return options.all ? callback(null, allowed) : callback(null, first.address, first.family)
      })
    }
  }
}

/** Returns whether no byte of an answer to the request has arrived. */
function unansweredOn(request: http.ClientRequest): () => boolean {
  let bytesBefore = 0
  request.on('socket', ({ bytesRead }) => {
    bytesBefore = bytesRead
  })
  return () => request.socket?.bytesRead === bytesBefore
}

function textOf(error: unknown, timeoutMs: number): string {
  if (error instanceof TimedOut) return `There was no response within ${timeoutMs / 1000} seconds.`
  if (error instanceof AddressRefused) return 'The host has no address that requests may be sent to.'
  if (error instanceof PortRefused) return 'Requests may not be sent to the port of the URL.'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return `The request failed${typeof code === 'string' ? ` with ${code}` : ''}.`
}
