import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Receipt, Shown } from '../history.ts'
import type { Random } from '../random.ts'
import { type Target, untilStarted } from './target.ts'

const program = join(import.meta.dirname, 'receiver-process.ts')
/** Neither outgoing connections nor other tests use these ports. Therefore the receiver finds its port free again. */
const [firstPort, ports] = [30_000, 2_700]
const pollMs = 50

/** A server that receives events. */
export type Receiver = Target & {
  url: string
  /** Returns all events that it has received at a path, including the events from before it was killed. */
  receivedAt: (path: string) => Promise<Receipt[]>
  stop: () => Promise<void>
}

/** Starts a receiver in its own process. It has the same port after each start. */
export async function startReceiver(random: Random): Promise<Receiver> {
  const file = join(await mkdtemp(join(tmpdir(), 'skein-receiver-')), 'received')
  await writeFile(file, '')
  const port = firstPort + random.below(ports)
  const url = `http://127.0.0.1:${port}`
  const start = () => startProcess(url, ['--import', 'tsx', program, String(port), file])
  let child = await start()
  const kill = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'close')
  }
  return {
    name: 'the receiver',
    kill,
    start: async () => {
      child = await untilStarted(start)
    },
    url,
    receivedAt: async (path) => receiptsIn(await readFile(file, 'utf8'), path),
    stop: kill,
  }
}

async function startProcess(url: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`The receiver at ${url} exited`)
    await sleep(pollMs)
  }
  return child
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

type Line = Shown & { at: number; path: string; id: string }

function receiptsIn(text: string, path: string): Receipt[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.path === path)
    .map(({ at, id, ...shown }) => ({ ...shown, at: at - performance.timeOrigin, eventID: id }))
}
