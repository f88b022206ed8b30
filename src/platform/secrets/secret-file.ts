import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reads a private file, or creates it if it is missing. Concurrent processes get the same text, never a part of it. */
export function readOrCreateSecretFile(path: string, create: () => string): string {
  const known = readSecretFile(path)
  if (known !== undefined) return known
  const temporaryPath = `${path}.${randomUUID()}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(temporaryPath, `${create()}\n`, { mode: 0o600 })
  ignoring('EEXIST', () => linkSync(temporaryPath, path))
  rmSync(temporaryPath)
  const created = readSecretFile(path)
  if (created !== undefined) return created
  throw new Error(`The file ${path} disappeared while it was being created. Start the service again.`)
}

function readSecretFile(path: string): string | undefined {
  return ignoring('ENOENT', () => readFileSync(path, 'utf8').trim())
}

function ignoring<T>(code: string, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined
    throw error
  }
}
