import { execFile } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { atEnd } from './closing.ts'
import type { Cluster } from './cluster.ts'

export const repository = join(import.meta.dirname, '../..')
const tmpfsMagic = 0x01021994

/** How much is measured. The figures of the quick effort are meaningless. */
export type Effort = {
  quick: boolean
  rounds: number
  seconds: number
  warmUpSeconds: number
}

export type Bench = { effort: Effort; cluster: Cluster; folder: string }

export const fullEffort: Effort = { quick: false, rounds: 3, seconds: 3, warmUpSeconds: 1 }
export const quickEffort: Effort = { quick: true, rounds: 1, seconds: 1.5, warmUpSeconds: 0.5 }

/** Creates a temporary folder on a disk, because durable writes cost nothing in memory. */
export async function folderOnDisk(): Promise<string> {
  for (const place of [tmpdir(), '/var/tmp', repository]) {
    const { type } = await statfs(place)
    if (type === tmpfsMagic) continue
    const folder = await mkdtemp(join(place, 'skein-bench-'))
    atEnd(() => rm(folder, { recursive: true, force: true }))
    return folder
  }
  throw new Error('No folder for the database is on a disk')
}

/** Prints a line with the seconds since the start. */
export function say(text: string): void {
  process.stderr.write(`${Math.round(performance.now() / 1000)} s: ${text}\n`)
}

/** Runs a program to its end and returns what it printed. */
export async function output(
  program: string,
  args: string[],
  options: { cwd?: string } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024, ...options })
  return stdout
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return (low + high) / 2
}
