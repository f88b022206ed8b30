import { connect, type Socket } from 'node:net'
import type { Call } from './load.ts'

/** `body` contains only the beginning of a long body. */
export type Answer = { status: number; body: string; bytes: number }

const silenceMs = 60_000
const endOfHead = '\r\n\r\n'
const keptBytes = 1024 * 1024

/**
 * An HTTP/1.1 connection with one request in flight, which reconnects after it has ended. It supports only responses
 * with a Content-Length. A general client would need twice the CPU time, and would slow down the service.
 */
export class Connection {
  readonly #url: URL
  #socket: Socket | undefined
  #received: Buffer[] = []
  #receivedBytes = 0
  /** Where the body begins and ends, once the head has arrived. */
  #bounds: { begin: number; end: number } | undefined
  #answer: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  constructor(url: string) {
    this.#url = new URL(url)
  }

  async send({ method, path, headers = {}, body = '' }: Call): Promise<Answer> {
    const socket = this.#socket?.writable ? this.#socket : this.#open()
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#answer = { resolve, reject }
    })
    const length = typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {}
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\n`
    for (const [name, value] of Object.entries({ ...headers, ...length })) head += `${name}: ${value}\r\n`
    if (typeof body === 'string') {
      socket.write(`${head}\r\n${body}`)
    } else {
      socket.write(`${head}\r\n`)
      for await (const chunk of body) {
        if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve))
      }
    }
    return answer
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    socket.setTimeout(silenceMs, () => socket.destroy(new Error('Nothing was received for a minute')))
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.on('error', (error) => this.#answer?.reject(error))
    socket.on('close', () => this.#answer?.reject(new Error('The connection ended')))
    this.#forget()
    this.#socket = socket
    return socket
  }

  #receive(chunk: Buffer): void {
    if (this.#receivedBytes < keptBytes) this.#received.push(chunk)
    this.#receivedBytes += chunk.length
    this.#bounds ??= boundsOf(this.#received.length === 1 ? chunk : Buffer.concat(this.#received))
    if (!this.#bounds || this.#receivedBytes < this.#bounds.end) return
    const { begin, end } = this.#bounds
    const received =
      this.#received.length === 1 ? (this.#received[0] as Buffer) : Buffer.concat(this.#received)
    this.#forget()
    const status = Number(received.toString('latin1', 9, 12))
    this.#answer?.resolve({ status, body: received.toString('utf8', begin, end), bytes: end - begin })
    this.#answer = undefined
  }

  #forget(): void {
    this.#received = []
    this.#receivedBytes = 0
    this.#bounds = undefined
  }
}

function boundsOf(received: Buffer): { begin: number; end: number } | undefined {
  const headLength = received.indexOf(endOfHead)
  if (headLength < 0) return undefined
  const head = received.toString('latin1', 0, headLength)
  const begin = headLength + endOfHead.length
  return { begin, end: begin + Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1]) }
}
