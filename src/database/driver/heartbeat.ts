import { Socket } from 'node:net'
import { constants } from 'node:os'
import type pg from 'pg'
import { CommitProbe, type CommitsStalled, stalledBeats } from './commit-probe.ts'
import { HostClient } from './host-client.ts'

const everyMs = 500
// Counts beats and not time, because a busy process reads answers late. A busy period of any length is one beat.
const maxUnansweredBeats = 4

/** The error of statements while the server is silent. It has the code of a connection that timed out. */
export class ServerSilent extends Error {
  override readonly name = 'ServerSilent'
  readonly code = 'ETIMEDOUT'
  readonly errno = -constants.errno.ETIMEDOUT
  readonly syscall = 'read'

  constructor() {
    super(
      'The database does not respond: its connections were closed, and statements fail until it responds.',
    )
  }
}

export type HeartbeatOptions = {
  connection: pg.ClientConfig
  /** Whether a statement waits for the server. If none does, a beat sends a query only during a silence. */
  isBusy: () => boolean
  onSilence: (error: ServerSilent | CommitsStalled) => void
  onAnswer: () => void
}

/** `beats` is the number of beats since a byte was read. */
type Quiet = { bytesRead: number; beats: number }

type OwnConnection = { client: pg.Client; socket: Socket; connected: Promise<unknown> }

/**
 * Notices within 3 s when the server is silent, for example after the network is cut, and closes the connections to it.
 * While commits are stalled, closes the connections that wait.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #timer: NodeJS.Timeout
  readonly #sockets = new Map<Socket, Quiet>()
  readonly #commits: CommitProbe
  // `SELECT 1` has its own connection. Therefore a slow statement does not count as silence.
  #own: OwnConnection | undefined
  /** For how many beats `SELECT 1` has been in flight, or undefined if it is not in flight. */
  #beatsAsking: number | undefined
  #silence: ServerSilent | undefined

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#commits = new CommitProbe({
      connection: options.connection,
      socket: () => this.#watched(),
      onStall: options.onSilence,
      onRecovery: options.onAnswer,
    })
    this.#timer = setInterval(() => this.#beat(), everyMs).unref()
    // Connects before the pool does. Otherwise a full server or pooler would look silent.
    void this.#ask()
  }

  readonly socket = (): Socket => {
    const silence = this.#silence
    if (!silence) return this.#watched()
    const socket = new Socket()
    // New connections fail until `SELECT 1` is answered. Waits a tick, so that the caller can first add its listener.
    process.nextTick(() => socket.destroy(silence))
    return socket
  }

  get areCommitsStalled(): boolean {
    return this.#commits.stall !== undefined
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#commits.stop()
    this.#own?.socket.destroy()
  }

  #watched(): Socket {
    const socket = new Socket()
    this.#sockets.set(socket, { bytesRead: 0, beats: 0 })
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  #beat(): void {
    if (this.#beatsAsking !== undefined) this.#beatsAsking += 1
    let unansweredBeats = this.#beatsAsking ?? 0
    for (const [socket, quiet] of this.#sockets) {
      const { bytesRead } = socket
      quiet.beats = bytesRead === quiet.bytesRead ? quiet.beats + 1 : 0
      quiet.bytesRead = bytesRead
      if (bytesRead === 0 && !this.#commits.isOwn(socket))
        unansweredBeats = Math.max(unansweredBeats, quiet.beats)
    }
    const isBusy = this.#options.isBusy()
    if (unansweredBeats > maxUnansweredBeats) this.#closeAll()
    else if (this.#beatsAsking === undefined && (this.#silence || isBusy)) void this.#ask()
    this.#commits.beat(isBusy)
    if (this.#commits.stall) this.#closeWaiting(this.#commits.stall)
  }

  // Idle connections are quiet too. The pool opens others.
  #closeWaiting(stall: CommitsStalled): void {
    for (const [socket, { beats }] of this.#sockets)
      if (beats >= stalledBeats && !this.#commits.isOwn(socket)) socket.destroy(stall)
  }

  #closeAll(): void {
    const wasSilent = this.#silence !== undefined
    const silence = this.#silence ?? new ServerSilent()
    this.#silence = silence
    for (const socket of this.#sockets.keys()) socket.destroy(silence)
    if (!wasSilent) this.#options.onSilence(silence)
  }

  // An error also counts as an answer, but does not end a silence.
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

  #connect(): OwnConnection {
    const socket = this.#watched()
    const client = new HostClient({ ...this.#options.connection, stream: () => socket })
    // If the connection ends while it is idle, the next query fails.
    client.on('error', () => undefined)
    return { client, socket, connected: client.connect() }
  }
}
