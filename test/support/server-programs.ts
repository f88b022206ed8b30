import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program as a user that may run PostgreSQL, which refuses to run as root. Throws what it says when it fails. */
export async function asOwner(command: string[]): Promise<void> {
  const [program = '', ...args] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...command] : command
  await promisify(execFile)(program, args, { cwd: '/' })
}

/** Gives a folder to the user that PostgreSQL runs as. */
export async function giveToOwner(folder: string): Promise<void> {
  if (isRoot()) await promisify(execFile)('chown', ['postgres', folder])
}

/** The newest of Debian's folders of PostgreSQL's programs, or undefined where they are to be found by PATH. */
export async function findPrograms(): Promise<string | undefined> {
  const folder = '/usr/lib/postgresql'
  const versions = await readdir(folder).catch(() => [])
  const found = versions.filter((version) => existsSync(join(folder, version, 'bin/postgres')))
  const newest = found.sort((a, b) => Number(a) - Number(b)).at(-1)
  return newest && join(folder, newest, 'bin')
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}
