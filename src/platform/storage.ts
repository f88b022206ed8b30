import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { followFile } from './digests.ts'

const writtenAtOnceBytes = 1024 * 1024
const abandonedAfterMs = 24 * 60 * 60 * 1000

/** Where the bytes of files are kept, addressed by their SHA-256. */
export type Storage = {
  /** Reads the stream to its end. Nothing is kept until `keep` is called; a failure leaves nothing behind. */
  receive(bytes: Readable): Promise<Received>
  /** Opens kept bytes for reading. */
  open(sha256: Uint8Array): Promise<Readable>
}

export type Received = {
  sha256: Buffer<ArrayBuffer>
  md5: Buffer<ArrayBuffer>
  sizeBytes: number
  /** Makes the bytes durable under their address, where the same bytes may be already. */
  keep(): Promise<void>
  discard(): Promise<void>
}

/** Storage in a directory: `ab/cdef...` by address, and `incoming/` for what is being received. */
export async function directoryStorage(directory: string): Promise<Storage> {
  const incoming = join(directory, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await removeAbandoned(incoming)
  return {
    receive: (bytes) => receive(bytes, directory, join(incoming, randomUUID())),
    open: async (sha256) => createReadStream(addressOf(directory, sha256)),
  }
}

async function receive(bytes: Readable, directory: string, path: string): Promise<Received> {
  const digests = followFile(path)
  const file = createWriteStream(path, {
    flags: 'wx',
    mode: 0o600,
    highWaterMark: writtenAtOnceBytes,
    flush: true,
  })
  const discard = () => rm(path, { force: true })
  bytes.on('data', () => digests.follow(file.bytesWritten))
  try {
    await pipeline(bytes, file)
    const sizeBytes = file.bytesWritten
    const { md5, sha256 } = await digests.end(sizeBytes)
    const keep = () => moveDurably(path, addressOf(directory, sha256)).finally(discard)
    return { sha256: Buffer.from(sha256), md5: Buffer.from(md5), sizeBytes, keep, discard }
  } catch (error) {
    digests.forget()
    await discard()
    throw error
  }
}

function addressOf(directory: string, sha256: Uint8Array): string {
  const hex = Buffer.from(sha256).toString('hex')
  return join(directory, hex.slice(0, 2), hex.slice(2))
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

/** What a killed process was receiving. Other processes may be receiving now, hence the age. */
async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}
