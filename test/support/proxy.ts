import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'
import type { Service } from './service.ts'

/**
 * What the proxy does with a request. `lose` forwards the request, and closes the connection instead of responding.
 * `truncate` closes the connection in the middle of the response. `hang` never responds. `stall` sends no body. An
 * object is the response.
 */
export type Twist =
  | 'pass'
  | 'lose'
  | 'truncate'
  | 'hang'
  | 'stall'
  | { status: number; headers?: Record<string, string>; body?: string }

/** An HTTP proxy in front of the service that can disturb requests. */
export type TwistingProxy = {
  url: string
  /** Sets what happens to the next requests whose path begins with `path`. Later requests pass. */
  next: (path: string, ...twists: Twist[]) => void
  /** Returns the times, in milliseconds, at which requests whose path begins with `path` arrived. */
  seen: (path: string) => number[]
  /** Closes all connections of clients. */
  cut: () => void
}

/** Makes the service listen, and starts a proxy, by default on a free port. Both stop after the test or the file. */
export async function startProxy(service: Service, at = 0): Promise<TwistingProxy> {
  const { close, ...proxy } = await openProxy(await service.app.listen({ host: '127.0.0.1', port: 0 }), at)
  atEnd(close)
  return proxy
}

/** Starts a proxy in front of the service at the URL, by default on a free port. */
export async function openProxy(target: string, at = 0): Promise<TwistingProxy & { close: () => void }> {
  const plans = new Map<string, Twist[]>()
  const requests: { path: string; at: number }[] = []
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    requests.push({ path, at: Date.now() })
    const [, twists] = [...plans].find(([prefix, left]) => path.startsWith(prefix) && left.length > 0) ?? []
    void twisted(twists?.shift() ?? 'pass', new URL(path, target), incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    next: (path, ...twists) => void plans.set(path, twists),
    seen: (path) => requests.filter((one) => one.path.startsWith(path)).map(({ at }) => at),
    cut: () => server.closeAllConnections(),
    close,
  }
}

function twisted(twist: Twist, url: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (twist === 'hang') return
  if (typeof twist === 'object') {
    incoming.resume()
    outgoing.writeHead(twist.status, twist.headers).end(twist.body)
    return
  }
  const { method, headers } = incoming
  const forwarded = request(url, { method, headers }, async (answer) => {
    if (twist === 'pass' || twist === 'stall') {
      outgoing.on('close', () => answer.destroy())
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers).flushHeaders()
      if (twist === 'pass') answer.on('error', () => outgoing.destroy()).pipe(outgoing)
      return
    }
    const body = Buffer.concat(await answer.toArray())
    if (twist === 'truncate') {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers).write(body.subarray(0, 10))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    incoming.socket.destroy()
  })
  forwarded.on('error', () => incoming.socket.destroy())
  // If the client disconnects in the middle of a request, the proxy also disconnects from the service.
  incoming.on('close', () => incoming.complete || forwarded.destroy())
  incoming.pipe(forwarded)
}
