import { FairSlots } from '../platform/scheduling/fair-slots.ts'
import { recordBackup } from './last-backup.ts'
import { type BackupSource, writeBackup } from './write-backup.ts'

type Read = (bytes: AsyncIterable<Uint8Array>) => Promise<void>

/** Writes one backup at a time, and never while stored files are deleted. */
export class Backups {
  readonly #source: BackupSource
  readonly #slot = new FairSlots({ total: 1, each: 1 })
  readonly #closing = new AbortController()
  /** Rejects when the backups are closed. */
  readonly #closed = new Promise<never>((_resolve, reject) => {
    const { signal } = this.#closing
    signal.addEventListener('abort', () => reject(signal.reason))
  })

  constructor(source: BackupSource) {
    this.#source = source
    this.#closed.catch(() => undefined)
  }

  /** Passes the bytes of a new backup to `read`, which resolves after it has stored them. */
  async write(read: Read): Promise<void> {
    const release = await this.#slot.acquire('backup', this.#closing.signal)
    const backup = writeBackup(this.#source)
    backup.ended.catch(() => undefined)
    try {
      await Promise.race([read(backup.bytes), this.#closed])
      await recordBackup(this.#source.dataDir)
    } finally {
      backup.abort(new Error('The backup was not read to its end'))
      await backup.ended.catch(() => undefined)
      release()
    }
  }

  /** Deletes stored files, and returns how many. Deletes none while a backup reads them. */
  async deleteFiles(work: () => Promise<number>): Promise<number> {
    const release = this.#slot.tryAcquire('deletion')
    return release ? work().finally(release) : 0
  }

  /** Ends a backup that is in progress. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is stopping'))
    await this.#slot.acquire('close')
  }
}
