import { execFile } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Bench, median, output, repository, say } from './bench.ts'
import { memoryMiB } from './meter.ts'
import { newPath, startService } from './processes.ts'
import { createStore } from './store.ts'
import { subscribe } from './subscribers.ts'
import { makeWorld } from './worlds.ts'

const starts = 3
const idleMs = 3000
const quickIdleMs = 500
const subscribers = 5000

/** A figure outside of the table. */
export type Figure = { name: string; value: string }

/** Measures the time until the service listens, its idle memory, and the size of an installation. */
export async function measureFootprint(bench: Bench): Promise<Figure[]> {
  const store = await createStore(bench, 'footprint')
  const onServer = await measureStarts(bench, { databaseURL: store.url, dataDir: newPath(bench, 'data') })
  const onEmbedded = await measureStarts(bench, { dataDir: newPath(bench, 'data') })
  return [
    { name: 'from start to listening, PostgreSQL', value: onServer.listening },
    { name: 'from start to listening, embedded, existing data', value: onEmbedded.listening },
    { name: 'idle RSS, PostgreSQL', value: onServer.memory },
    { name: 'idle RSS, embedded', value: onEmbedded.memory },
    { name: 'RSS per 1,000 idle subscribers', value: await measureSubscribers(bench, store.url) },
    { name: 'production install', value: await measureInstall(bench) },
  ]
}

/** Returns the memory that 1,000 subscriptions need while they wait for an event. */
async function measureSubscribers(bench: Bench, databaseURL: string): Promise<string> {
  const env = { SUBSCRIPTIONS_PER_CALLER: '100000' }
  const { url, pid, stop } = await startService(bench, { databaseURL, env })
  const reader = await makeWorld(url)
  const count = bench.effort.quick ? 100 : subscribers
  const before = memoryMiB(pid, 'VmRSS')
  const { close } = await subscribe(url, Array(count).fill(reader))
  await sleep(bench.effort.quick ? quickIdleMs : idleMs)
  const grown = memoryMiB(pid, 'VmRSS') - before
  close()
  await stop()
  return `${((grown * 1000) / count).toFixed(1)} MiB`
}

/** Returns medians of several starts. An earlier start, which does not count, creates the tables and a workspace. */
async function measureStarts(bench: Bench, on: { databaseURL?: string; dataDir: string }) {
  const first = await startService(bench, on)
  await makeWorld(first.url)
  await first.stop()
  const took: number[] = []
  const memory: number[] = []
  for (let start = 0; start < starts; start++) {
    const began = performance.now()
    const { pid, stop } = await startService(bench, { ...on, ready: listens })
    took.push(performance.now() - began)
    await sleep(bench.effort.quick ? quickIdleMs : idleMs)
    memory.push(memoryMiB(pid, 'VmRSS'))
    await stop()
  }
  return { listening: `${median(took).toFixed(0)} ms`, memory: `${median(memory).toFixed(0)} MiB` }
}

function listens(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function measureInstall(bench: Bench): Promise<string> {
  const folder = newPath(bench, 'install')
  await mkdir(folder)
  for (const part of ['package.json', 'package-lock.json', 'prisma', 'dist']) {
    await cp(join(repository, part), join(folder, part), { recursive: true })
  }
  const options = ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    await promisify(execFile)('npm', options, { cwd: folder, timeout: 300_000 })
    const size = await output('du', ['-sm', folder])
    return `${size.split('\t')[0]} MiB`
  } catch (error) {
    say(`  npm ci: ${String(error).slice(0, 300)}`)
    return 'not measured: npm could not install'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
