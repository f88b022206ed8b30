import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { tryLockFile } from '../platform/lock-file.ts'
import { gauge } from '../platform/metrics.ts'
import { followFile } from './digests.ts'

const writtenAtOnceBytes = 1024 * 1024

const incomingBytes = gauge('skein_incoming_bytes', 'The bytes of uploads that have not arrived whole.')

export type Incoming = {
  path: string
  sha256: Buffer<ArrayBuffer>
  md5: Buffer<ArrayBuffer>
  sizeBytes: number
  readStart(bytes: number): Promise<Buffer>
  discard(): Promise<void>
}

/** Opens a directory that processes can share. A file without a lock belongs to a process that has ended. */
export async function incomingDirectory(directory: string) {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await removeAbandoned(directory)
  return {
    receive: (bytes: Readable) => receive(bytes, directory),
    removeAbandoned: () => removeAbandoned(directory),
    /** Creates a file and removes it. */
    check: async () => {
      const { path, file } = await createLocked(directory)
      await file.write('x')
      await rm(path, { force: true })
      await file.close()
    },
  }
}

async function receive(bytes: Readable, directory: string): Promise<Incoming> {
  const { path, file } = await createLocked(directory)
  const digests = followFile(path)
  const output = createWriteStream(path, { flags: 'r+', highWaterMark: writtenAtOnceBytes, flush: true })
  const discard = async () => {
    await rm(path, { force: true })
    await file.close()
  }
  let arrived = 0
  bytes.on('data', ({ length }: Uint8Array) => {
    arrived += length
    incomingBytes.inc(length)
    digests.follow(output.bytesWritten)
  })
  try {
    await pipeline(bytes, output)
    const sizeBytes = output.bytesWritten
    const { md5, sha256 } = await digests.end(sizeBytes)
    const readStart = (count: number) => startOf(file, Math.min(count, sizeBytes))
    return { path, sha256: Buffer.from(sha256), md5: Buffer.from(md5), sizeBytes, readStart, discard }
  } catch (error) {
    digests.forget()
    await discard()
    throw error
  } finally {
    incomingBytes.dec(arrived)
  }
}

// Another process may remove the file before it is locked. A removed file has no links.
async function createLocked(directory: string): Promise<{ path: string; file: FileHandle }> {
  for (;;) {
    const path = join(directory, randomUUID())
    const file = await open(path, 'wx+', 0o600)
    if (tryLockFile(file.fd) && (await file.stat()).nlink > 0) return { path, file }
    await file.close()
  }
}

async function startOf(file: FileHandle, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const file = await open(path, 'r+').catch(ignoreMissing)
    if (!file) continue
    try {
      if (tryLockFile(file.fd)) await rm(path, { force: true })
    } finally {
      await file.close()
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
