import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { ReadableStream } from 'node:stream/web'
import { createTarPacker } from 'modern-tar'

const readAtOnceBytes = 256 * 1024

/** Writes a tar archive, and remembers the SHA-256 of each file. */
export class TarWriter {
  readonly digests: { [name: string]: string } = {}
  readonly #packer = createTarPacker()

  /** The bytes of the archive. If the reader cancels it, the next call of a method fails. */
  get readable(): ReadableStream<Uint8Array> {
    return this.#packer.readable as ReadableStream<Uint8Array>
  }

  async directory(name: string): Promise<void> {
    await this.#packer.controller.add({ name: `${name}/`, type: 'directory', size: 0, mode: 0o700 }).close()
  }

  async text(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#add(name, bytes.length, [bytes])
  }

  /** Copies a file that can change meanwhile. Returns false if it no longer exists. */
  async file(name: string, path: string): Promise<boolean> {
    const file = await openIfPresent(path)
    if (!file) return false
    try {
      const { size } = await file.stat()
      await this.#add(name, size, chunksOf(file, size))
      return true
    } finally {
      await file.close()
    }
  }

  end(): void {
    this.#packer.controller.finalize()
  }

  fail(reason: unknown): void {
    this.#packer.controller.error(reason)
  }

  async #add(name: string, size: number, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const hash = createHash('sha256')
    const body = this.#packer.controller.add({ name, type: 'file', size, mode: 0o600 }).getWriter()
    for await (const chunk of chunks) {
      hash.update(chunk)
      await body.write(chunk)
    }
    await body.close()
    this.digests[name] = hash.digest('hex')
  }
}

async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

// A file of the database can become shorter. The log that is replayed over the copy makes it shorter again.
async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(readAtOnceBytes, size - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    yield bytesRead === 0 ? chunk.fill(0) : chunk.subarray(0, bytesRead)
    position += bytesRead === 0 ? chunk.length : bytesRead
  }
}
