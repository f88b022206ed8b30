import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Answer, Digests, Reading } from './digests-thread.ts'

const followEveryBytes = 1024 * 1024
/** A smaller file takes about 0.2 ms here. */
const smallBytes = 64 * 1024

type Waiting = { resolve: (digests: Digests) => void; reject: (error: Error) => void }

let thread: Worker | undefined
const waiting = new Map<string, Waiting>()

/**
 * MD5 and SHA-256 of a file that is being written, taken from what is in the file. Both together take 2 ms a MiB, in
 * which the event loop would answer nobody. Therefore a thread reads those files that are not small.
 */
export function followFile(path: string) {
  let followed = 0
  return {
    /** Says how many bytes are in the file by now. */
    follow(writtenBytes: number): void {
      if (writtenBytes < followed + followEveryBytes) return
      followed = writtenBytes
      send({ path, upTo: writtenBytes })
    },
    /** The digests of the whole file. */
    async end(sizeBytes: number): Promise<Digests> {
      if (followed === 0 && sizeBytes < smallBytes) return digestsOf(await readFile(path))
      return new Promise((resolve, reject) => {
        waiting.set(path, { resolve, reject })
        send({ path, upTo: sizeBytes, isLast: true })
      })
    },
    /** To be called when there will be no end. */
    forget(): void {
      if (followed > 0) send({ path })
    },
  }
}

function digestsOf(contents: Uint8Array): Digests {
  const [md5, sha256] = ['md5', 'sha256'].map((name) => createHash(name).update(contents).digest())
  return { md5, sha256 } as Digests
}

function send(reading: Reading): void {
  thread ??= startThread()
  thread.postMessage(reading)
}

/** A thread that ends fails what waits for it. The next one reads its files from their beginning. */
function startThread(): Worker {
  const worker = new Worker(new URL(`digests-thread${extname(import.meta.url)}`, import.meta.url))
  worker.unref()
  worker.on('message', ({ path, digests, failure }: Answer) => {
    if (digests) waiting.get(path)?.resolve(digests)
    else waiting.get(path)?.reject(failureOf(failure))
    waiting.delete(path)
  })
  const end = (cause?: Error) => {
    if (thread === worker) thread = undefined
    for (const { reject } of waiting.values()) reject(new Error('The thread for digests ended', { cause }))
    waiting.clear()
  }
  worker.once('error', end)
  worker.once('exit', () => end())
  return worker
}

/** The code of the error decides how the caller is answered. */
function failureOf(
  { message, code }: NonNullable<Answer['failure']> = { message: 'unknown', code: '' },
): Error {
  return Object.assign(new Error(`The digests of a file could not be taken: ${message}`), { code })
}
