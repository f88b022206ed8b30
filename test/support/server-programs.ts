import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program as the user postgres instead of root, because PostgreSQL refuses to run as root. */
export async function asOwner(command: string[]): Promise<void> {
  const [program = '', ...args] = isRoot() ? ['runuser', '-u', 'postgres', '--', ...command] : command
  await promisify(execFile)(program, args, { cwd: '/' })
}

/** Makes the user that runs PostgreSQL the owner of a folder. */
export async function giveToOwner(folder: string): Promise<void> {
  if (isRoot()) await promisify(execFile)('chown', ['postgres', folder])
}

/** Returns Debian's folder for the programs of the newest PostgreSQL, or undefined if it does not exist. */
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
