import { closeSync, constants, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// The package has no types.
const { tryLock } = createRequire(import.meta.url)('fs-native-extensions') as {
  tryLock(descriptor: number): boolean
}

/**
 * Takes a directory for this process alone, creating it where it is missing. The kernel holds the lock, on the file
 * `lock` in there, and drops it when the process dies, however it dies. Returns what releases it.
 * Throws an Error naming the holder when the directory is taken, by another process or by this one.
 */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // A bare descriptor: a FileHandle that is collected as garbage would take the lock with it.
  const descriptor = openSync(join(directory, 'lock'), constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    if (!tryLock(descriptor)) throw new Error(takenBy(directory, readFileSync(descriptor, 'utf8')))
    ftruncateSync(descriptor)
    writeSync(descriptor, `${process.pid}\n`, 0)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return () => closeSync(descriptor)
}

function takenBy(directory: string, pid: string): string {
  const holder = `another process (PID ${pid.trim() || 'unknown'})`
  return `The data directory ${directory} is in use by ${holder}. Stop it, or give this one another DATA_DIR.`
}
