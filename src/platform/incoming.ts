import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { followFile } from './digests.ts'

const writtenAtOnceBytes = 1024 * 1024
const abandonedAfterMs = 24 * 60 * 60 * 1000

/** Bytes that have come in, in a file of their own. */
export type Incoming = {
  path: string
  sha256: Buffer<ArrayBuffer>
  md5: Buffer<ArrayBuffer>
  sizeBytes: number
  /** The first bytes: so many, or all where there are fewer. */
  first(bytes: number): Promise<Buffer>
  /** Removes the file, where it is there still. */
  discard(): Promise<void>
}

/** A directory in which bytes are received, before anyone knows their digests. */
export async function incomingDirectory(directory: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await removeAbandoned(directory)
  return {
    /** Reads the stream to its end. A failure leaves nothing behind. */
    receive: (bytes: Readable): Promise<Incoming> => receive(bytes, join(directory, randomUUID())),
  }
}

async function receive(bytes: Readable, path: string): Promise<Incoming> {
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
    const first = (count: number) => readFirst(path, Math.min(count, sizeBytes))
    return { path, sha256: Buffer.from(sha256), md5: Buffer.from(md5), sizeBytes, first, discard }
  } catch (error) {
    digests.forget()
    await discard()
    throw error
  }
}

async function readFirst(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What a killed process was receiving. Other processes may be receiving now, hence the age. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}
