import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Incoming, incomingDirectory } from './incoming.ts'

const readAtOnceBytes = 256 * 1024

/** Where the bytes of files are kept, addressed by their SHA-256. */
export type Storage = {
  /** Reads the stream to its end. Nothing is kept until `keep` is called; a failure leaves nothing behind. */
  receive(bytes: Readable): Promise<Received>
  /** Opens kept bytes for reading: all of them, or those from the first to the last one named. */
  open(sha256: Uint8Array, range?: Range): Promise<Readable>
  /** Removes kept bytes, where they are there. */
  remove(sha256: Uint8Array): Promise<void>
  close(): Promise<void>
}

export type Range = { first: number; last: number }

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
    close: async () => undefined,
  }
}

function addressOf(directory: string, sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return join(directory, hex.slice(0, 2), hex.slice(2))
}

/** Opened already, so that a file which is not there fails here and not in the middle of an answer. */
async function openFile(path: string, range: Range | undefined): Promise<Readable> {
  const part = range ? { start: range.first, end: range.last } : {}
  const stream = createReadStream(path, { ...part, highWaterMark: readAtOnceBytes })
  await once(stream, 'open')
  return stream
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
