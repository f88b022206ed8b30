import type { FastifyBaseLogger } from 'fastify'
import { CloseCode } from 'graphql-ws'
import type { WebSocket } from 'ws'

/** A ping is sent this often. A client is disconnected if it has not answered a ping when the next one is due. */
const heartbeatMs = 12_000
/** While more bytes than this wait for a client, nothing is read from it. Otherwise pongs could fill the memory. */
const maxUnsentBytes = 64 * 1024
/** While more characters than this wait for the service, nothing is read. Up to here it is, to notice a close. */
const maxUnhandledCharacters = 256 * 1024
/** The number of messages of a caller that are in work at the same time. An open subscription is not in work. */
export const maxInWork = 32
const maxReasonBytes = 123
/** Part of the API: docs/events.md. */
const tooSlow = 4408

/** Sends messages in order, and hands over the received messages as fast as the limits allow. */
export class SocketConnection {
  readonly #socket: WebSocket
  readonly #log: FastifyBaseLogger
  readonly #maxPerSecond: number
  #receive: (text: string) => Promise<void> = async () => undefined
  #unhandled: string[] = []
  #unhandledCharacters = 0
  #inWork = 0
  #handledThisSecond = 0
  #second: NodeJS.Timeout | undefined

  /** A limit of 0 messages per second means no limit. */
  constructor(socket: WebSocket, log: FastifyBaseLogger, messagesPerSecond: number) {
    this.#socket = socket
    this.#log = log
    this.#maxPerSecond = messagesPerSecond || Number.POSITIVE_INFINITY
    // Each operation in flight adds a listener. Node warns from the eleventh on.
    socket.setMaxListeners(0)
    this.#keepAlive()
    socket.once('close', () => clearTimeout(this.#second))
  }

  onMessage(receive: (text: string) => Promise<void>): void {
    this.#receive = receive
    this.#socket.on('message', (message) => {
      const text = String(message)
      this.#unhandled.push(text)
      this.#unhandledCharacters += text.length
      this.#handle()
    })
  }

  /** Resolves when the message is written. */
  send(message: object): Promise<void> {
    const socket = this.#socket
    return new Promise((resolve) => {
      if (!this.#isOpen()) return resolve()
      // An error also closes the socket, which ends its streams.
      socket.send(JSON.stringify(message), () => {
        resolve()
        this.#pauseOrResume()
      })
      this.#pauseOrResume()
    })
  }

  close(code: number, reason: string): void {
    const bytes = Buffer.alloc(maxReasonBytes)
    // Writes only whole characters. The reason must be valid UTF-8 (RFC 6455 5.5.1).
    const { written } = new TextEncoder().encodeInto(reason, bytes)
    this.#socket.close(code, bytes.subarray(0, written))
  }

  #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  #isSlow(): boolean {
    return this.#socket.bufferedAmount > maxUnsentBytes
  }

  #mayHandle(): boolean {
    const isWithinLimits = this.#inWork < maxInWork && this.#handledThisSecond < this.#maxPerSecond
    return isWithinLimits && this.#isOpen()
  }

  #handle(): void {
    if (!this.#isOpen()) this.#forget()
    for (let text = this.#next(); text !== undefined; text = this.#next()) {
      this.#inWork++
      this.#receive(text)
        .catch((err) => {
          // For example, the client has sent a message that only servers send.
          this.#log.warn({ err }, 'a WebSocket message failed')
          this.close(CloseCode.BadRequest, 'Invalid message received')
        })
        .finally(() => {
          this.#inWork--
          this.#handle()
        })
    }
    this.#pauseOrResume()
  }

  #forget(): void {
    this.#unhandled = []
    this.#unhandledCharacters = 0
  }

  #next(): string | undefined {
    if (this.#unhandled.length === 0 || !this.#mayHandle()) return undefined
    const text = this.#unhandled.shift() ?? ''
    this.#unhandledCharacters -= text.length
    this.#handledThisSecond++
    this.#second ??= setTimeout(() => {
      this.#second = undefined
      this.#handledThisSecond = 0
      this.#handle()
    }, 1000)
    return text
  }

  #pauseOrResume(): void {
    const socket = this.#socket
    const mustPause = this.#isOpen() && (this.#isSlow() || this.#unhandledCharacters > maxUnhandledCharacters)
    if (mustPause !== socket.isPaused) socket[mustPause ? 'pause' : 'resume']()
  }

  #keepAlive(): void {
    const socket = this.#socket
    let isAlive = true
    socket.on('pong', () => {
      isAlive = true
    })
    const timer = setInterval(() => {
      // While the service itself delays the messages of a client, it may not have read the answer to its ping.
      if (!isAlive && (this.#isSlow() || this.#unhandled.length === 0)) return this.#disconnect()
      isAlive = false
      socket.ping()
    }, heartbeatMs)
    socket.once('close', () => clearInterval(timer))
  }

  /** Closes a connection. A client that reads slowly gets a close code, and can read it until the next heartbeat. */
  #disconnect(): void {
    const isSlow = this.#isOpen() && this.#socket.bufferedAmount > 0
    if (isSlow) this.close(tooSlow, 'The client reads too slowly. Continue after the last cursor.')
    else this.#socket.terminate()
  }
}
