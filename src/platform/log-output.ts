import { constants as openFlags, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

const batchCharacters = 8 * 1024
const flushEveryMs = 100
const retryFullMs = 10
const retryFailedMs = 1000
const maxWaitingBytes = 1024 * 1024
const lastFlushMs = 1000

/**
 * Writes lines to a file descriptor in batches and never waits for the reader. When the reader stalls, up to 1 MiB
 * waits in memory; lines beyond that are dropped and counted, and `noticeOf` makes a line of the count once the reader
 * is back.
 */
export class LogOutput {
  readonly #descriptor: number
  readonly #noticeOf: (dropped: number) => string
  #batch = ''
  /** What a write left over. */
  #rest: Buffer = Buffer.alloc(0)
  #dropped = 0
  #retry: NodeJS.Timeout | undefined

  constructor(descriptor: number, noticeOf: (dropped: number) => string) {
    this.#descriptor = descriptor
    this.#noticeOf = noticeOf
    setInterval(() => this.flush(), flushEveryMs).unref()
  }

  write(line: string): void {
    if (this.#retry && this.#rest.length + this.#batch.length >= maxWaitingBytes) {
      this.#dropped += 1
      return
    }
    this.#batch += line
    if (this.#batch.length >= batchCharacters) this.flush()
  }

  /** Writes what there is, unless the reader stalls. */
  flush(): void {
    if (this.#retry) return
    const outcome = this.#drain()
    if (outcome === 'done') return
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        this.flush()
      },
      outcome === 'full' ? retryFullMs : retryFailedMs,
    ).unref()
  }

  /** Writes what is left, for at most a second: for the end of the process. */
  flushSync(): void {
    const deadline = performance.now() + lastFlushMs
    const sleeper = new Int32Array(new SharedArrayBuffer(4))
    while (this.#drain() === 'full' && performance.now() < deadline) Atomics.wait(sleeper, 0, 0, retryFullMs)
  }

  /** Writes until nothing is left or the reader takes no more. */
  #drain(): 'done' | 'full' | 'failed' {
    try {
      while (this.#fill()) this.#rest = this.#rest.subarray(writeSync(this.#descriptor, this.#rest))
      return 'done'
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'full' : 'failed'
    }
  }

  /** Puts what is to be written next into `#rest`. Returns whether there is anything. */
  #fill(): boolean {
    if (this.#rest.length > 0) return true
    if (this.#batch === '' && this.#dropped > 0) {
      this.#batch = this.#noticeOf(this.#dropped)
      this.#dropped = 0
    }
    this.#rest = Buffer.from(this.#batch)
    this.#batch = ''
    return this.#rest.length > 0
  }
}

/**
 * A descriptor of standard output on which a write fails with EAGAIN instead of waiting for a reader that stalls. Files
 * do not stall. Where the system offers no such descriptor for a terminal, it is the ordinary one.
 */
export function nonBlockingStdout(): number {
  if (isatty(1)) return reopenTerminal() ?? 1
  // When Node makes the stream of a pipe or a socket, it sets O_NONBLOCK on the descriptor.
  void process.stdout
  return 1
}

/** Node keeps a terminal's own stream blocking: Ctrl-S would stop the whole process. */
function reopenTerminal(): number | undefined {
  try {
    return openSync('/proc/self/fd/1', openFlags.O_WRONLY | openFlags.O_NONBLOCK | openFlags.O_NOCTTY)
  } catch {
    return undefined
  }
}
