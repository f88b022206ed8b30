import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** Runs a Node program, and prints its output only if it fails. */
export async function run(...args) {
  try {
    await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  } catch ({ stdout, stderr, message }) {
    fail(`${stdout ?? ''}${stderr ?? message}\nThis failed: node ${args.join(' ')}`)
  }
}

export function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
