import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Creates the data directory if it is missing. If it cannot be used, throws an Error that says what to set. */
export function openDataDir(dataDir: string): void {
  try {
    makeDirectory(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const reason = reasonOf((cause as NodeJS.ErrnoException).code)
    const advice = 'Set DATA_DIR to a directory that this user can write to.'
    throw new Error(`DATA_DIR is ${dataDir}, which ${reason}. ${advice}`, { cause })
  }
}

// Node's recursive mkdir never returns for a directory in /proc, because mkdir always fails with ENOENT there.
function makeDirectory(path: string): void {
  if (isDirectory(path)) return
  makeDirectory(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isDirectory(path)) throw error // Otherwise another process has created it.
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function reasonOf(code: string | undefined): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is not a directory'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'this user cannot write to'
    default:
      return `cannot be created (${code})`
  }
}
