import type { Socket } from 'node:net'
import { constants } from 'node:os'
import type pg from 'pg'
import { HostClient } from './host-client.ts'

/** The database is asked after it was in use for this many beats, so that an idle service writes nothing. */
const usedBeats = 2
/** If a commit takes this many beats of 500 ms, commits are stalled. A disk can pause for seconds. */
export const stalledBeats = 6

/** The error of statements that wait while commits are stalled. It has the code of a connection that timed out. */
export class CommitsStalled extends Error {
  override readonly name = 'CommitsStalled'
  readonly code = 'ETIMEDOUT'
  readonly errno = -constants.errno.ETIMEDOUT
  readonly syscall = 'read'

  constructor() {
    super('The database completes no writes. If it waits for a synchronous standby, that standby is missing.')
  }
}

type Options = {
  connection: pg.ClientConfig
  /** Returns the socket of a connection of the probe. */
  socket: () => Socket
  onStall: (error: CommitsStalled) => void
  onRecovery: () => void
}

/**
 * Notices when the server answers reads, but completes no commit, for example because a synchronous standby is missing.
 * No time limit of PostgreSQL ends this wait.
 */
export class CommitProbe {
  readonly #options: Options
  #own: { client: pg.Client; socket: Socket } | undefined
  #usedBeats = 0
  #isAsking = false
  #unansweredBeats: number | undefined
  #stall: CommitsStalled | undefined

  constructor(options: Options) {
    this.#options = options
  }

  get stall(): CommitsStalled | undefined {
    return this.#stall
  }

  beat(isUsed: boolean): void {
    this.#usedBeats = isUsed ? this.#usedBeats + 1 : 0
    if (this.#unansweredBeats !== undefined) this.#unansweredBeats += 1
    if (!this.#isAsking && (this.#stall || this.#usedBeats >= usedBeats)) void this.#ask()
    if (this.#stall || (this.#unansweredBeats ?? 0) < stalledBeats) return
    this.#stall = new CommitsStalled()
    this.#options.onStall(this.#stall)
  }

  isOwn(socket: Socket): boolean {
    return this.#own?.socket === socket
  }

  stop(): void {
    this.#own?.socket.destroy()
    this.#own = undefined
  }

  // An error also counts as an answer. Other statements get it too.
  async #ask(): Promise<void> {
    this.#isAsking = true
    this.#usedBeats = 0
    try {
      const client = this.#own?.client ?? (await this.#connect())
      this.#unansweredBeats = 0
      // Writes a few bytes into the log of the database, which nobody reads.
      await client.query(`SELECT pg_logical_emit_message(true, 'skein', '')`)
      if (this.#stall) this.#options.onRecovery()
      this.#stall = undefined
    } catch {
      this.stop()
    } finally {
      this.#isAsking = false
      this.#unansweredBeats = undefined
    }
  }

  // Connecting does not count, because a pooler without a free connection lets it wait.
  async #connect(): Promise<pg.Client> {
    const socket = this.#options.socket()
    const client = new HostClient({ ...this.#options.connection, stream: () => socket })
    client.on('error', () => undefined)
    this.#own = { client, socket }
    await client.connect()
    return client
  }
}
