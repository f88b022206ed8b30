import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Exchange = { request: IncomingMessage; response: ServerResponse; previous: ServerResponse | undefined }
// Symbols, because weak maps with an entry for each request burden the garbage collector.
const latest = Symbol('latest')
const inWork = Symbol('inWork')
const backlog = Symbol('backlog')
type Connection = Socket & {
  [latest]?: Exchange
  [inWork]?: ServerResponse
  [backlog]?: Backlog | undefined
}
type Parser = (chunk: Buffer) => void

/** While a request waits for its turn, up to this much is received, so that the service notices a lost connection. */
const maxWaitingBytes = 256 * 1024

/**
 * Answers the requests of a connection one after the other (RFC 9112 9.3.2). Node itself starts all pipelined requests
 * at once, and only sends the answers in order.
 */
export function answerInTurn(server: Server): void {
  const listener = server.listeners('request')[0] as RequestListener
  const answer = ({ request, response }: Exchange, socket: Connection) => {
    socket[inWork] = response
    listener(request, response)
  }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const socket: Connection = request.socket
    // Node gives a response its socket when all earlier responses of the connection have ended.
    const previous = response.socket ? undefined : socket[latest]?.response
    const exchange = { request, response, previous }
    socket[latest] = exchange
    if (response.socket) return answer(exchange, socket)
    const waiting = backlogOf(socket)
    waiting.requests++
    // In its own turn of the event loop, so that other connections are served between two requests.
    response.once('socket', () =>
      setImmediate(() => {
        if (!socket.writable) return
        answer(exchange, socket)
        waiting.requests--
        if (waiting.requests === 0) waiting.end()
      }),
    )
  })
}

/** Returns the response that the last complete request of a connection waits for. */
export function pendingResponse(socket: Connection): ServerResponse | undefined {
  const exchange = socket[latest]
  const last = exchange?.request.complete ? exchange.response : exchange?.previous
  return last?.writableFinished ? undefined : last
}

/** Returns whether the service leaves data of the client unread until earlier requests are answered. */
export function isHeldBack(socket: Connection): boolean {
  return socket[backlog] !== undefined
}

/** Calls `takeOver` with a connection that Node no longer reads, when all its requests have been answered. */
export function afterAnswers(socket: Connection, takeOver: () => void): void {
  const pending = pendingResponse(socket)
  if (!pending) {
    takeOver()
    return
  }
  const waiting = backlogOf(socket)
  waiting.requests++
  waiting.forgetParsers()
  const destroy = () => socket.destroy()
  // Node no longer tells a response that its client has read what was sent.
  const drain = () => socket[inWork]?.emit('drain')
  socket.on('error', destroy).on('end', destroy).on('drain', drain)
  pending.once('close', () => {
    socket.off('error', destroy).off('end', destroy).off('drain', drain)
    if (socket.destroyed) return
    waiting.end()
    takeOver()
  })
}

function backlogOf(socket: Connection): Backlog {
  const open = socket[backlog] ?? new Backlog(socket)
  socket[backlog] = open
  return open
}

/** Receives the data of a connection instead of Node's parser, which would start the requests in it. */
class Backlog {
  readonly #socket: Connection
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #parsers: Parser[]
  requests = 0

  constructor(socket: Connection) {
    this.#socket = socket
    // A listener makes Node emit the data. Before, its parser reads the connection itself.
    socket.on('data', this.#receive)
    this.#parsers = (socket.listeners('data') as Parser[]).filter((listener) => listener !== this.#receive)
    for (const parser of this.#parsers) socket.off('data', parser)
    // Node may pause the connection at the end of the chunk that it is reading.
    process.nextTick(() => socket.resume())
  }

  readonly #receive = (chunk: Buffer): void => {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes > maxWaitingBytes) this.#socket.pause()
  }

  forgetParsers(): void {
    this.#parsers = []
  }

  /** Gives the data back to the connection. */
  end(): void {
    const socket = this.#socket
    socket[backlog] = undefined
    socket.off('data', this.#receive)
    for (const chunk of this.#chunks.reverse()) socket.unshift(chunk)
    // The next listener starts the flow, also if it is added later.
    Object.assign(socket, { readableFlowing: null })
    for (const parser of this.#parsers) socket.on('data', parser)
  }
}
