import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'

export type ReadCommand = { path: string; upTo?: number; isLast?: boolean }

export type Digests = { md5: Uint8Array<ArrayBuffer>; sha256: Uint8Array<ArrayBuffer> }

export type Answer = { path: string; digests?: Digests; failure?: { message: string; code: unknown } }

type OpenFile = { descriptor: number; at: number; md5: Hash; sha256: Hash }

const files = new Map<string, OpenFile>()
const buffer = Buffer.allocUnsafe(256 * 1024)

parentPort?.on('message', ({ path, upTo, isLast }: ReadCommand) => {
  if (upTo === undefined) return closeFile(path)
  try {
    const file = files.get(path) ?? begin(path)
    readOn(file, upTo)
    if (!isLast) return
    answer({ path, digests: { md5: file.md5.digest(), sha256: file.sha256.digest() } })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    answer({ path, failure: { message, code } })
  }
  closeFile(path)
})

function begin(path: string): OpenFile {
  const file = {
    descriptor: openSync(path, 'r'),
    at: 0,
    md5: createHash('md5'),
    sha256: createHash('sha256'),
  }
  files.set(path, file)
  return file
}

function readOn(file: OpenFile, upTo: number): void {
  while (file.at < upTo) {
    const length = readSync(file.descriptor, buffer, 0, Math.min(buffer.length, upTo - file.at), file.at)
    if (length === 0) throw new Error('The file is shorter than the number of bytes that were written to it')
    const read = buffer.subarray(0, length)
    file.md5.update(read)
    file.sha256.update(read)
    file.at += length
  }
}

function closeFile(path: string): void {
  const file = files.get(path)
  if (file) closeSync(file.descriptor)
  files.delete(path)
}

function answer(message: Answer): void {
  parentPort?.postMessage(message)
}
