import { createRequire } from 'node:module'

// The package has no types.
const native = createRequire(import.meta.url)('fs-native-extensions') as {
  tryLock(descriptor: number): boolean
}

/**
 * Locks an open file, or returns false if another descriptor holds its lock, in this process or in another one. The
 * kernel releases the lock when the descriptor is closed or the process ends, however it ends.
 */
export function tryLockFile(descriptor: number): boolean {
  return native.tryLock(descriptor)
}
