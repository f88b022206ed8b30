import { constants as openFlags, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { counter } from '../../platform/metrics.ts'

const batchCharacters = 8 * 1024
const flushEveryMs = 100
const retryFullMs = 10
const retryFailedMs = 1000
const maxWaitingBytes = 1024 * 1024
const lastFlushMs = 1000

const droppedLines = counter(
  'skein_log_lines_dropped_total',
  'The log lines that were dropped because nothing read them.',
)

/** Writes lines in batches and never waits. While the reader stalls, buffers 1 MiB, then drops and counts lines. */
export class LogOutput {
  readonly #descriptor: number
  readonly #noticeOf: (dropped: number) => string
  #batch = ''
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
      droppedLines.add()
      return
    }
    this.#batch += line
    if (this.#batch.length >= batchCharacters) this.flush()
  }

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

  /** Writes the rest before the process ends. Blocks for at most a second. */
  flushSync(): void {
    const deadline = performance.now() + lastFlushMs
    const sleeper = new Int32Array(new SharedArrayBuffer(4))
    while (this.#drain() === 'full' && performance.now() < deadline) Atomics.wait(sleeper, 0, 0, retryFullMs)
  }

  #drain(): 'done' | 'full' | 'failed' {
    try {
      while (this.#fill()) this.#rest = this.#rest.subarray(writeSync(this.#descriptor, this.#rest))
      return 'done'
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'full' : 'failed'
    }
  }

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

/** Returns a descriptor of standard output. If the system allows it, writes fail with EAGAIN instead of waiting. */
export function nonBlockingStdout(): number {
  if (isatty(1)) return reopenTerminal() ?? 1
  // Creating the stream of a pipe or socket makes Node set O_NONBLOCK on the descriptor.
  void process.stdout
  return 1
}

// Node's stream of a terminal is blocking. With it, Ctrl-S would stop the whole process.
function reopenTerminal(): number | undefined {
  try {
    return openSync('/proc/self/fd/1', openFlags.O_WRONLY | openFlags.O_NONBLOCK | openFlags.O_NOCTTY)
  } catch {
    return undefined
  }
}
