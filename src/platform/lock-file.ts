import { createRequire } from 'node:module'

const native = createRequire(import.meta.url)('fs-native-extensions') as {
  tryLock(descriptor: number): boolean
}

/** Locks a file until the descriptor closes or the process dies. Returns false if another descriptor has the lock. */
export function tryLockFile(descriptor: number): boolean {
  return native.tryLock(descriptor)
}
