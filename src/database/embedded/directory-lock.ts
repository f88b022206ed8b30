import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tryLockFile } from '../../platform/lock-file.ts'

/** Creates a directory if it is missing, and locks it until the returned function is called or the process dies. */
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

/** Also locks a file that nobody deletes. If `lock` is deleted, another process could lock a new `lock`. */
export function lockByFile(directory: string, file: string): () => void {
  return lockOpened(join(directory, file), constants.O_RDWR, () => takenBy(directory, 'another process'))
    .release
}

function lockOpened(path: string, flags: number, refusal: (descriptor: number) => string) {
  // Not a FileHandle, because its garbage collection would release the lock.
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
  return `The data directory ${directory} is in use by ${holder}. Stop that process, or change DATA_DIR.`
}
