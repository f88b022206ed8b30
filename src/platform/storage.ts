import type { Readable } from 'node:stream'

/** Where the bytes of files are kept, addressed by their SHA-256. */
export type Storage = {
  /** Stores the stream; the same bytes are stored once. Rejects, with nothing left behind, when the stream or the disk fails. */
  put(bytes: Readable): Promise<Stored>
  /** Opens stored bytes for reading. */
  open(sha256: Buffer): Promise<Readable>
}

export type Stored = { sha256: Buffer; md5: Buffer; sizeBytes: number }
