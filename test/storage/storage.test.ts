import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { s3Storage } from '../../src/storage/s3-storage.ts'
import { type Chunks, directoryStorage, type Storage, StorageUnavailable } from '../../src/storage/storage.ts'
import { startS3 } from '../support/s3.ts'

const folder = await mkdtemp(join(tmpdir(), 'skein-storage-'))
const s3 = await startS3()
const spool = join(folder, 'spool')
const receiver = join(import.meta.dirname, '../support/receiving-process.ts')
const storages: [string, Storage, string][] = [
  ['a directory', await directoryStorage(join(folder, 'files')), join(folder, 'files/incoming')],
  ['an S3-compatible store', await s3Storage(s3.options, spool), spool],
]

afterAll(async () => {
  for (const [, storage] of storages) await storage.close()
  await rm(folder, { recursive: true })
})

async function bytesOf(chunks: Chunks): Promise<Buffer> {
  const copies: Buffer[] = []
  for await (const chunk of chunks) copies.push(Buffer.from(chunk))
  return Buffer.concat(copies)
}

describe.each(storages)('storage in %s', (_name, storage, incoming) => {
  async function keep(bytes: Buffer): Promise<Buffer> {
    const received = await storage.receive(Readable.from([bytes]))
    await received.store()
    await received.discard()
    return received.sha256
  }

  // S3 receives the last two sizes in parts: exactly two parts, and more than two.
  test.each([0, 1, 1000, 10 * 1024 * 1024, 20 * 1024 * 1024 + 3])('returns all %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const sha256 = await keep(bytes)
    expect(sha256).toEqual(createHash('sha256').update(bytes).digest())
    if (size > 0) expect((await bytesOf(await storage.open(sha256))).equals(bytes)).toBe(true)
    expect(await readdir(incoming)).toEqual([])
  })

  test('returns a range of bytes', async () => {
    const sha256 = await keep(Buffer.from('0123456789'))
    const part = await storage.open(sha256, { first: 3, last: 5 })
    expect((await bytesOf(part)).toString()).toBe('345')
    const end = await storage.open(sha256, { first: 9, last: 9 })
    expect((await bytesOf(end)).toString()).toBe('9')
  })

  test('returns the first bytes of a received file', async () => {
    const received = await storage.receive(Readable.from([Buffer.from('abcd'), Buffer.from('efghij')]))
    expect((await received.readStart(6)).toString()).toBe('abcdef')
    expect((await received.readStart(100)).toString()).toBe('abcdefghij')
    await received.discard()
    expect(await readdir(incoming)).toEqual([])
    await expect(storage.open(received.sha256)).rejects.toThrow()
  })

  test('can store the same bytes again, also after they were removed twice', async () => {
    const bytes = randomBytes(100)
    const sha256 = await keep(bytes)
    await keep(bytes)
    await storage.remove(sha256)
    await storage.remove(sha256)
    await expect(storage.open(sha256)).rejects.toThrow()
    await keep(bytes)
    expect(await bytesOf(await storage.open(sha256))).toEqual(bytes)
  })

  test('removes the bytes of an interrupted file', async () => {
    const broken = Readable.from(
      (async function* () {
        yield randomBytes(3 * 1024 * 1024)
        throw new Error('connection lost')
      })(),
    )
    await expect(storage.receive(broken)).rejects.toThrow('connection lost')
    expect(await readdir(incoming)).toEqual([])
  })

  test('removes the file of a killed process, but not a file that is still being received', async () => {
    const killed = spawn(process.execPath, ['--import', 'tsx', receiver, incoming])
    // The process locks the file before it writes to the file.
    await expect
      .poll(() => sizesIn(incoming), { timeout: 20_000 })
      .toEqual([expect.toSatisfy((size) => size > 0)])
    const [left] = await readdir(incoming)
    await storage.removeAbandoned()
    expect(await readdir(incoming)).toEqual([left])
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const bytes = new PassThrough()
    const receiving = storage.receive(bytes)
    bytes.write('first')
    await expect.poll(() => readdir(incoming)).toHaveLength(2)
    await storage.removeAbandoned()
    expect(await readdir(incoming)).not.toContain(left)
    bytes.end(' and last')
    const received = await receiving
    await storage.removeAbandoned()
    await received.store()
    await received.discard()
    expect((await bytesOf(await storage.open(received.sha256))).toString()).toBe('first and last')
    expect(await readdir(incoming)).toEqual([])
  })

  test('throws an error other than StorageUnavailable when missing bytes are opened', async () => {
    const failure = await storage.open(randomBytes(32)).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure).not.toBeInstanceOf(StorageUnavailable)
  })
})

async function sizesIn(directory: string): Promise<number[]> {
  const names = await readdir(directory)
  return Promise.all(names.map(async (name) => (await stat(join(directory, name))).size))
}

describe('an S3-compatible store', () => {
  test('that is unavailable causes StorageUnavailable', async () => {
    const away = await startS3()
    const storage = await s3Storage(away.options, spool)
    const received = await storage.receive(Readable.from([Buffer.from('bytes')]))
    await away.stop()
    await expect(received.store()).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(storage.open(received.sha256)).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(storage.remove(received.sha256)).rejects.toBeInstanceOf(StorageUnavailable)
    await received.discard()
    await storage.close()
  })

  test('without the bucket is refused at the start, and the error names the bucket', async () => {
    await expect(s3Storage({ ...s3.options, bucket: 'nowhere' }, spool)).rejects.toThrow(
      /The bucket nowhere at http.* cannot be used: it does not exist\. Check S3_BUCKET/,
    )
    const nobody = { ...s3.options, endpoint: 'http://127.0.0.1:1' }
    await expect(s3Storage(nobody, spool)).rejects.toThrow(/cannot be used: .*ECONNREFUSED/)
  })

  test('that fails once gets the same request again', async () => {
    const [, storage] = storages[1] as (typeof storages)[number]
    const bytes = randomBytes(17 * 1024 * 1024)
    const received = await storage.receive(Readable.from([bytes]))
    s3.fail('part 2', 1)
    await received.store()
    await received.discard()
    s3.fail('GET', 1)
    expect((await bytesOf(await storage.open(received.sha256))).equals(bytes)).toBe(true)
    expect(s3.unfinished()).toEqual([])
  })

  test('that fails permanently keeps no parts', async () => {
    const [, storage] = storages[1] as (typeof storages)[number]
    const received = await storage.receive(Readable.from([randomBytes(17 * 1024 * 1024)]))
    s3.fail('part 2', 100)
    await expect(received.store()).rejects.toBeInstanceOf(StorageUnavailable)
    s3.fail('part 2', 0)
    await received.discard()
    await expect.poll(() => s3.unfinished()).toEqual([])
  })
})
