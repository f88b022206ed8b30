import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readBackup } from './read-backup.ts'

const kept = 7
const daySeconds = 24 * 60 * 60

type Bytes = AsyncIterable<Uint8Array>

/** Backups of one service in a directory. A file has its final name only after it was verified. */
export class BackupDirectory {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** Returns whether no backup was taken in the last day. */
  async isDue(): Promise<boolean> {
    const now = Date.now()
    const [dayAgo, today] = [nameOf(new Date(now - daySeconds * 1000)), nameOf(new Date(now))]
    return !(await this.#names()).some((name) => name > dayAgo && name <= today)
  }

  /** Returns whether the disk has room for another backup of so many bytes. */
  async hasRoomFor(bytes: number): Promise<boolean> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#path)
    return bavail * bsize > bytes
  }

  /** Stores a backup, verifies what was written, and removes all but the newest. Returns the path. */
  async store(bytes: Bytes): Promise<string> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 })
    await this.#removeIncomplete()
    const temporary = join(this.#path, `incomplete-${randomUUID()}`)
    try {
      await pipeline(bytes, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }))
      const { takenAt } = await readBackup(createReadStream(temporary))
      const path = join(this.#path, nameOf(new Date(takenAt)))
      await rename(temporary, path)
      await this.#removeOld()
      return path
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** Returns the names of the backups, oldest first. Those of the future come first, because a wrong clock made them. */
  async #names(): Promise<string[]> {
    const names = await readdir(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const backups = names.filter((name) => /^skein-\d{4}-[\dT.-]+Z\.tar$/.test(name)).sort()
    const now = nameOf(new Date())
    return [...backups.filter((name) => name > now), ...backups.filter((name) => name <= now)]
  }

  async #removeOld(): Promise<void> {
    for (const name of (await this.#names()).slice(0, -kept))
      await rm(join(this.#path, name), { force: true })
  }

  // A process that was killed leaves a part of a backup.
  async #removeIncomplete(): Promise<void> {
    for (const name of await readdir(this.#path))
      if (name.startsWith('incomplete-')) await rm(join(this.#path, name), { force: true })
  }
}

/** The names sort by the time at which the backup was taken. */
function nameOf(takenAt: Date): string {
  return `skein-${takenAt.toISOString().replace(/:/g, '-')}.tar`
}
