import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { repository } from './bench.ts'
import type { Cluster } from './cluster.ts'
import type { Figure } from './footprint.ts'

const path = join(repository, 'docs/performance.md')
const withoutTimes = 'at BENCH_DATABASE_URL: its processor time is not known, and nothing is compared with it'
const require = createRequire(import.meta.url)

/** Returns the machine and the versions with which the figures were measured. */
export async function describeMachine({ version, postmaster }: Cluster): Promise<Figure[]> {
  const [cpu] = cpus()
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const memory = `${(totalmem() / 1024 ** 3).toFixed(1)} GiB`
  return [
    { name: 'date', value: new Date().toISOString().slice(0, 10) },
    { name: 'processors', value: `${cpus().length} of ${cpu?.model ?? 'unknown'}, with ${memory} of memory` },
    { name: 'system', value: `${/^PRETTY_NAME="(.*)"$/m.exec(system)?.[1] ?? 'Linux'}, kernel ${release()}` },
    { name: 'PostgreSQL', value: postmaster ? version : `${version}, ${withoutTimes}` },
    { name: 'Node', value: process.version.slice(1) },
    ...['skein', 'fastify', 'mercurius'].map((name) => ({ name, value: versionOf(name) })),
  ]
}

function versionOf(name: string): string {
  const file = name === 'skein' ? join(repository, 'package.json') : `${name}/package.json`
  return (require(file) as { version: string }).version
}

/** Writes texts between their markers in docs/performance.md. */
export async function writeDocument(parts: { [marker: string]: string }): Promise<void> {
  let document = await readFile(path, 'utf8')
  for (const [marker, text] of Object.entries(parts)) {
    const between = new RegExp(`(<!-- ${marker} -->\n)[^]*?(<!-- end of ${marker} -->)`)
    if (!between.test(document)) throw new Error(`docs/performance.md has no marker ${marker}`)
    document = document.replace(between, (_all, begin, end) => `${begin}\n${text}\n\n${end}`)
  }
  await writeFile(path, document)
}

export function figureList(figures: Figure[]): string {
  return figures.map(({ name, value }) => `- ${name}: ${value}`).join('\n')
}
