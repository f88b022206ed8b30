import { Socket } from 'node:net'
import { constants } from 'node:os'
import pg from 'pg'

const everyMs = 500
/**
 * How many beats in a row may pass without an answer. Beats are counted, not milliseconds: a process that is held up by
 * its own work reads its answers late, and counts that time as one beat.
 */
const patience = 4

/** Why statements fail while the server is silent. It has the code of a connection that timed out. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent'
  readonly code = 'ETIMEDOUT'
  readonly errno = -constants.errno.ETIMEDOUT
  readonly syscall = 'read'

  constructor() {
    super(
      'The database does not answer. Its connections were closed, and statements fail until it answers again.',
    )
  }
}

export type HeartbeatOptions = {
  /** How to reach the server. */
  connection: pg.ClientConfig
  /** Whether someone waits for the server. Otherwise it is not asked. */
  isBusy: () => boolean
  onSilence: (error: ServerSilent) => void
  onAnswer: () => void
}

/** The heartbeat's own connection. */
type Own = { client: pg.Client; socket: Socket; connected: Promise<unknown> }

/**
 * Notices within 3 s when a server stops answering without closing its connections: its processes are stopped, or the
 * network is cut. While someone waits for the server, each beat asks `SELECT 1` on a connection of its own, so a slow
 * statement is not taken for silence. A new connection that gets no first byte is silence, too. Then all connections are
 * closed, which fails what they run, and new ones fail at once, until a new connection answers `SELECT 1`.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout
  readonly #sockets = new Set<Socket>()
  /** The sockets that have not got a byte, and for how many beats. */
  readonly #untouched = new Map<Socket, number>()
  #own: Own | undefined
  /** For how many beats the answer to `SELECT 1` has been awaited; undefined if it was not asked. */
  #beatsAsking: number | undefined
  #silence: ServerSilent | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#beat(), everyMs).unref()
    // Connects before the pool does, so a full server or pooler does not look silent.
    void this.#ask()
  }

  /** Makes the socket of a pool's connection: the pool's option `stream`. */
  readonly socket = (): Socket => {
    const silence = this.#silence
    if (!silence) return this.#watched()
    const socket = new Socket()
    // The caller connects it first, and listens for its errors.
    process.nextTick(() => socket.destroy(silence))
    return socket
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#own?.socket.destroy()
  }

  #watched(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    this.#untouched.set(socket, 0)
    return socket.once('close', () => {
      this.#sockets.delete(socket)
      this.#untouched.delete(socket)
    })
  }

  #beat(): void {
    if (this.#beatsAsking !== undefined) this.#beatsAsking += 1
    for (const [socket, beats] of this.#untouched) {
      if (socket.bytesRead > 0) this.#untouched.delete(socket)
      else this.#untouched.set(socket, beats + 1)
    }
    if (Math.max(this.#beatsAsking ?? 0, ...this.#untouched.values()) > patience) this.#closeAll()
    else if (this.#beatsAsking === undefined && (this.#silence || this.#options.isBusy())) void this.#ask()
  }

  #closeAll(): void {
    const wasSilent = this.#silence !== undefined
    const silence = this.#silence ?? new ServerSilent()
    this.#silence = silence
    for (const socket of this.#sockets) socket.destroy(silence)
    if (!wasSilent) this.#options.onSilence(silence)
  }

  /** Asks the server, and keeps the connection for the next time. An error is an answer, but does not end a silence. */
  async #ask(): Promise<void> {
    this.#beatsAsking = 0
    try {
      this.#own ??= this.#connect()
      await this.#own.connected
      await this.#own.client.query('SELECT 1')
      if (this.#silence) this.#options.onAnswer()
      this.#silence = undefined
    } catch {
      this.#own?.socket.destroy()
      this.#own = undefined
    } finally {
      this.#beatsAsking = undefined
    }
  }

  #connect(): Own {
    const socket = this.#watched()
    const client = new pg.Client({ ...this.#options.connection, stream: () => socket })
    // What ends the connection while it is idle shows when the server is asked again.
    client.on('error', () => undefined)
    return { client, socket, connected: client.connect() }
  }
}
