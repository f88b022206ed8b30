import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Incoming, incomingDirectory } from './incoming.ts'

const readAtOnceBytes = 256 * 1024

export type Storage = {
  /** Reads the stream to its end. Nothing is stored until `store` is called. A failure leaves nothing behind. */
  receive(bytes: Readable): Promise<Received>
  /** Opens stored bytes for reading. A range includes its first and its last byte. */
  open(sha256: Uint8Array, range?: ByteRange): Promise<Chunks>
  remove(sha256: Uint8Array): Promise<void>
  removeAbandoned(): Promise<void>
  /** Fails if new bytes cannot be received, or cannot be stored. */
  check(): Promise<void>
  close(): Promise<void>
}

export type ByteRange = { first: number; last: number }

/** Bytes in order. A chunk is valid until the next one is requested, because the next one can reuse its memory. */
export type Chunks = AsyncIterable<Uint8Array>

export type Received = Omit<Incoming, 'path'> & {
  /** Stores the bytes durably. They may already be stored. */
  store(): Promise<void>
}

export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** The database refers to bytes that are no longer stored. */
export class BytesMissing extends Error {
  override readonly name = 'BytesMissing'
}

export function incomingBelow(directory: string): string {
  return join(directory, 'incoming')
}

/** The path of bytes is their SHA-256 (`ab/cdef...`), or `incoming/...` while they arrive. */
export async function directoryStorage(directory: string): Promise<Storage> {
  const incoming = await incomingDirectory(incomingBelow(directory))
  return {
    receive: async (bytes) => {
      const { path, ...received } = await incoming.receive(bytes)
      return { ...received, store: () => moveDurably(path, pathOf(directory, received.sha256)) }
    },
    open: (sha256, range) => openFile(pathOf(directory, sha256), range),
    remove: (sha256) => rm(pathOf(directory, sha256), { force: true }),
    removeAbandoned: incoming.removeAbandoned,
    check: incoming.check,
    close: async () => undefined,
  }
}

function pathOf(directory: string, sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return join(directory, hex.slice(0, 2), hex.slice(2))
}

// Opens the file immediately. Therefore a missing file causes an error here, and not in the middle of an answer.
async function openFile(
  path: string,
  range: ByteRange = { first: 0, last: Number.MAX_SAFE_INTEGER },
): Promise<Chunks> {
  try {
    return chunksOf(await open(path), range)
  } catch (cause) {
    throw isMissing(cause) ? new BytesMissing('The bytes of a file are missing', { cause }) : cause
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

// Alternates between two buffers, because new memory for each chunk takes 2.5 times the CPU time (docs/performance.md).
async function* chunksOf(file: FileHandle, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
  const [one, other] = [Buffer.allocUnsafeSlow(readAtOnceBytes), Buffer.allocUnsafeSlow(readAtOnceBytes)]
  const read = (into: Buffer, from: number) => {
    const reading = file.read(into, 0, Math.min(into.length, last + 1 - from), from)
    // A reader that stops early does not await this promise.
    reading.catch(() => undefined)
    return reading
  }
  try {
    let position = first
    let reading = read(one, position)
    for (let [used, free] = [one, other]; position <= last; [used, free] = [free, used]) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      position += bytesRead
      reading = read(free, position)
      yield used.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

// Also flushes the directories, because a row can refer to the bytes only if they survive a power failure.
async function moveDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
  await syncDirectory(dirname(to))
  await syncDirectory(dirname(dirname(to)))
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
