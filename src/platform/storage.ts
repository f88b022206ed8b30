import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Incoming, incomingDirectory } from './incoming.ts'

const readAtOnceBytes = 256 * 1024

/** Where the bytes of files are kept, addressed by their SHA-256. */
export type Storage = {
  /** Reads the stream to its end. Nothing is kept until `keep` is called; a failure leaves nothing behind. */
  receive(bytes: Readable): Promise<Received>
  /** Opens kept bytes for reading: all of them, or those from the first to the last one named. */
  open(sha256: Uint8Array, range?: Range): Promise<Pieces>
  /** Removes kept bytes, where they are there. */
  remove(sha256: Uint8Array): Promise<void>
  /** Removes what processes that have ended were receiving. */
  removeAbandoned(): Promise<void>
  close(): Promise<void>
}

export type Range = { first: number; last: number }

/** Bytes in order. A piece is good until the next one is asked for, when its memory may be used again. */
export type Pieces = AsyncIterable<Uint8Array>

export type Received = Omit<Incoming, 'path'> & {
  /** Makes the bytes durable under their address, also where the same bytes are already. */
  keep(): Promise<void>
}

/** A store that cannot be reached, or does not do as it is told. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'
}

/** Where bytes are received below the directory of a storage. */
export function incomingBelow(directory: string): string {
  return join(directory, 'incoming')
}

/** Storage in a directory: `ab/cdef...` by address, and `incoming/` for what is being received. */
export async function directoryStorage(directory: string): Promise<Storage> {
  const incoming = await incomingDirectory(incomingBelow(directory))
  return {
    receive: async (bytes) => {
      const { path, ...received } = await incoming.receive(bytes)
      return { ...received, keep: () => moveDurably(path, addressOf(directory, received.sha256)) }
    },
    open: (sha256, range) => openFile(addressOf(directory, sha256), range),
    remove: (sha256) => rm(addressOf(directory, sha256), { force: true }),
    removeAbandoned: incoming.removeAbandoned,
    close: async () => undefined,
  }
}

function addressOf(directory: string, sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return join(directory, hex.slice(0, 2), hex.slice(2))
}

/** Opened already, so that a file which is not there fails here and not in the middle of an answer. */
async function openFile(
  path: string,
  range: Range = { first: 0, last: Number.MAX_SAFE_INTEGER },
): Promise<Pieces> {
  return piecesOf(await open(path), range)
}

/**
 * Reads a piece while the one before is used, by turns into two buffers. With new memory for each piece it took two and a
 * half times the processor time (docs/performance.md, row 18).
 */
async function* piecesOf(file: FileHandle, { first, last }: Range): AsyncGenerator<Uint8Array> {
  const [one, other] = [Buffer.allocUnsafeSlow(readAtOnceBytes), Buffer.allocUnsafeSlow(readAtOnceBytes)]
  const read = (into: Buffer, from: number) => {
    const reading = file.read(into, 0, Math.min(into.length, last + 1 - from), from)
    // Whoever stops in the middle does not wait for it.
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

/** A row may name the bytes only once they outlive a power cut: the file, which is flushed, and its directory. */
async function moveDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
  await synchronise(dirname(to))
  await synchronise(dirname(dirname(to)))
}

async function synchronise(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
