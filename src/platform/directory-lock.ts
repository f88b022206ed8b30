import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tryLockFile } from './lock-file.ts'

/**
 * Takes a directory for this process alone, creating it where it is missing. The kernel holds the lock, on the file
 * `lock` in there, and drops it when the process dies, however it dies. Returns what releases it.
 * Throws an Error naming the holder when the directory is taken, by another process or by this one.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'lock')
  const { descriptor, release } = lockOpened(path, constants.O_RDWR | constants.O_CREAT, (descriptor) =>
    takenBy(directory, `another process (PID ${readFileSync(descriptor, 'utf8').trim() || 'unknown'})`),
  )
  ftruncateSync(descriptor)
  writeSync(descriptor, `${process.pid}\n`, 0)
  return release
}

/**
 * Takes a directory by a file in it that must exist and that nobody deletes without harm, as somebody may delete `lock`:
 * then another process would lock a new file of that name. Otherwise as `lockDirectory`.
 */
export function lockByFile(directory: string, file: string): () => void {
  return lockOpened(join(directory, file), constants.O_RDWR, () => takenBy(directory, 'another process'))
    .release
}

function lockOpened(path: string, flags: number, refusal: (descriptor: number) => string) {
  // A bare descriptor: a FileHandle that is collected as garbage would take the lock with it.
  const descriptor = openSync(path, flags, 0o600)
  const release = () => closeSync(descriptor)
  try {
    if (!tryLockFile(descriptor)) throw new Error(refusal(descriptor))
  } catch (error) {
    release()
    throw error
  }
  return { descriptor, release }
}

function takenBy(directory: string, holder: string): string {
  return `The data directory ${directory} is in use by ${holder}. Stop it, or give this one another DATA_DIR.`
}
