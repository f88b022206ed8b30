import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer, Digests, ReadCommand } from './digests-thread.ts'

/** The code of the error if the thread ends before it answers, for example because it cannot open its own files. */
export const digestThreadEnded = 'ERR_DIGEST_THREAD_ENDED'

const followEveryBytes = 1024 * 1024
// The event loop reads smaller files itself, because that takes only about 0.2 ms.
const smallBytes = 64 * 1024

type PendingDigest = { resolve: (digests: Digests) => void; reject: (error: Error) => void }

let thread: Worker | undefined
const waiting = new Map<string, PendingDigest>()

/** Computes the MD5 and SHA-256 of a file while it is written. Uses a thread, because 1 MiB takes 2 ms. */
export function followFile(path: string) {
  let followed = 0
  return {
    follow(writtenBytes: number): void {
      if (writtenBytes < followed + followEveryBytes) return
      followed = writtenBytes
      send({ path, upTo: writtenBytes })
    },
    async end(sizeBytes: number): Promise<Digests> {
      if (followed === 0 && sizeBytes < smallBytes) return digestsOf(await readFile(path))
      return new Promise((resolve, reject) => {
        waiting.set(path, { resolve, reject })
        send({ path, upTo: sizeBytes, isLast: true })
      })
    },
    /** Must be called if `end` will not be called. */
    forget(): void {
      if (followed > 0) send({ path })
    },
  }
}

function digestsOf(contents: Uint8Array): Digests {
  const [md5, sha256] = ['md5', 'sha256'].map((name) => createHash(name).update(contents).digest())
  return { md5, sha256 } as Digests
}

/** Starts the thread early, because it cannot start when the process has too many open files. */
export function startDigests(): void {
  thread ??= startThread()
}

function send(command: ReadCommand): void {
  thread ??= startThread()
  thread.postMessage(command)
}

// If the thread ends, the calls that wait for it fail. The next thread reads files from their beginning.
function startThread(): Worker {
  const worker = new Worker(new URL(`./digests-thread${extname(import.meta.url)}`, import.meta.url))
  worker.unref()
  worker.on('message', ({ path, digests, failure }: Answer) => {
    if (digests) waiting.get(path)?.resolve(digests)
    else waiting.get(path)?.reject(failureOf(failure))
    waiting.delete(path)
  })
  const end = (cause?: Error) => {
    if (thread === worker) thread = undefined
    const error = Object.assign(new Error('The digest thread ended', { cause }), { code: digestThreadEnded })
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.once('error', end)
  worker.once('exit', () => end())
  return worker
}

// Keeps the code, because the answer of the service depends on it.
function failureOf(
  { message, code }: NonNullable<Answer['failure']> = { message: 'unknown', code: '' },
): Error {
  return Object.assign(new Error(`The digests of a file could not be computed: ${message}`), { code })
}
