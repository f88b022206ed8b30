import { createHash } from 'node:crypto'
import { createTarDecoder } from 'modern-tar'
import {
  digestsName,
  digests as digestsSchema,
  type Manifest,
  manifestName,
  notABackup,
  readManifest,
} from './manifest.ts'

const maxListBytes = 1024 ** 3

type Body = AsyncIterable<Uint8Array>

/** What to do with the parts of a backup. `file` must read the bytes to their end. */
export type Parts = {
  manifest?(manifest: Manifest): void | Promise<void>
  directory?(name: string): Promise<void>
  file?(name: string, bytes: Body): Promise<void>
}

export type BackupSummary = Pick<Manifest, 'takenAt' | 'version' | 'postgresql' | 'migration'> & {
  /** The number of files that people and programs have uploaded. Equal files count once. */
  storedFiles: number
  /** Stored files whose bytes were damaged already when the backup was made. */
  damagedBefore: string[]
  bytes: number
}

/** Reads a backup to its end, and compares each file with its digest. Throws if the backup is not complete. */
export async function readBackup(bytes: Body, parts: Parts = {}): Promise<BackupSummary> {
  const reading = new Reading(parts)
  const decoder = createTarDecoder({ strict: true })
  const entries = ReadableStream.from(bytes).pipeThrough(decoder)
  try {
    for await (const { header, body } of entries) {
      if (header.type === 'directory') await reading.directory(header.name.replace(/\/$/, ''))
      else if (header.type === 'file') await reading.file(header.name, body)
      else throw notABackup()
    }
  } catch (error) {
    // The messages of the library say nothing to an operator.
    const isOfTar =
      error instanceof Error && !('code' in error) && /\btar\b|checksum|header/i.test(error.message)
    throw isOfTar ? reading.failure() : error
  }
  return reading.end()
}

class Reading {
  readonly #parts: Parts
  readonly #found = new Map<string, string>()
  #manifest: Manifest | undefined
  #expected: { [name: string]: string } | undefined
  #bytes = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async directory(name: string): Promise<void> {
    requireSafe(name)
    await this.#parts.directory?.(name)
  }

  async file(name: string, body: Body): Promise<void> {
    requireSafe(name)
    if (!this.#manifest) {
      if (name !== manifestName) throw notABackup()
      this.#manifest = readManifest(await textOf(this.#hashed(name, body)))
      await this.#parts.manifest?.(this.#manifest)
    } else if (name === digestsName) {
      const expected = digestsSchema.safeParse(JSON.parse(await textOf(body)))
      if (!expected.success) throw notABackup()
      this.#expected = expected.data
    } else {
      const bytes = this.#hashed(name, body)
      await this.#parts.file?.(name, bytes)
      for await (const _rest of bytes);
    }
  }

  failure(): Error {
    return this.#manifest ? new Error('The backup is not complete: its end is missing.') : notABackup()
  }

  end(): BackupSummary {
    if (!this.#manifest || !this.#expected) throw this.failure()
    const names = new Set([...this.#found.keys(), ...Object.keys(this.#expected)])
    const damaged = [...names].filter((name) => this.#found.get(name) !== this.#expected?.[name])
    if (damaged.length > 0) throw new Error(damageOf(damaged))
    const stored = [...this.#found.keys()].filter((name) => name.startsWith('files/'))
    const nameOf = (digest = '') => `files/${digest.slice(0, 2)}/${digest.slice(2)}`
    const damagedBefore = stored.filter((name) => name !== nameOf(this.#found.get(name)))
    const { takenAt, version, postgresql, migration } = this.#manifest
    return {
      ...{ takenAt, version, postgresql, migration },
      ...{ storedFiles: stored.length, damagedBefore, bytes: this.#bytes },
    }
  }

  async *#hashed(name: string, body: Body): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for await (const chunk of body) {
      hash.update(chunk)
      this.#bytes += chunk.length
      yield chunk
    }
    this.#found.set(name, hash.digest('hex'))
  }
}

function damageOf(names: string[]): string {
  const shown = names.toSorted()
  const more = shown.length > 5 ? ` and ${shown.length - 5} more` : ''
  return `The backup is damaged: these files differ from their digests: ${shown.slice(0, 5).join(', ')}${more}.`
}

// An archive that somebody has changed could name a file outside of the directory.
function requireSafe(name: string): void {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..') || name.includes('\\'))
    throw notABackup()
}

async function textOf(body: Body): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxListBytes) throw notABackup()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
