import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Bench } from '../bench.ts'
import { pick, post } from '../calls.ts'
import { share } from '../expectations.ts'
import { type Run, runLoad } from '../load.ts'
import { newPath, runBaseline, type Server, startService } from '../processes.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import { checkThreads, StoreMismatch } from '../store.ts'
import { makeWorld, type World } from '../worlds.ts'

const threadCount = 1000
const openWithinSeconds = 600

/** The service on its embedded database. No other process can open this database at the same time. */
export const embedded: Stage = {
  rows: [
    {
      number: '12',
      title: 'row 1 on the embedded database',
      subject: 'embedded',
      baselines: ['PGlite'],
      against: 'a loop of single inserts on PGlite',
      atMost: 0.7,
      expect: (row) => `On the embedded database, 100 posts a second use ${share(row, 100)}.`,
    },
  ],

  async prepare(bench: Bench) {
    const { warmUpSeconds, seconds } = bench.effort
    const dataDir = newPath(bench, 'embedded')
    const service = await startService(bench, { dataDir })
    const world = await makeWorld(service.url)
    const threads = await openThreads(service, world)
    let made = threads.length
    const posts = httpContestant(bench, {
      servers: [service],
      nextCall: () => post(world, { target: pick(threads) }),
    })
    const run = async () => {
      const run = await posts.run()
      made += run.made
      return run
    }
    const finish = async () => {
      await service.stop()
      await checkEmbedded(dataDir, made)
    }
    const env = {
      FOLDER: newPath(bench, 'pglite'),
      WARM_UP_SECONDS: String(warmUpSeconds),
      SECONDS: String(seconds),
    }
    return {
      embedded: { run, finish },
      PGlite: { run: async () => (await runBaseline(bench, 'pglite-inserts', env)) as Run },
    }
  },
}

async function openThreads({ url }: Server, world: World): Promise<string[]> {
  const threads: string[] = []
  let asked = 0
  const nextCall = () => {
    if (asked++ >= threadCount) return undefined
    const body = { target: world.groupID, threadSubject: `Subject ${asked}` }
    return post(world, body, { onThread: (threadID) => threads.push(threadID) })
  }
  const times = { warmUpSeconds: 0, seconds: openWithinSeconds }
  const { problems } = await runLoad({ urls: [url], connections: 16, ...times, nextCall })
  if (threads.length !== threadCount) throw new Error(`Not all threads were opened: ${problems.join(', ')}`)
  return threads
}

async function checkEmbedded(dataDir: string, expected: number): Promise<void> {
  const pglite = await PGlite.create(join(dataDir, 'db'))
  try {
    const { rows } = await pglite.query<{ count: number }>('SELECT count(*)::int AS count FROM messages')
    if (rows[0]?.count !== expected) {
      throw new StoreMismatch(
        `messages: ${expected} expected, ${rows[0]?.count} counted in the embedded database`,
      )
    }
    await checkThreads(pglite)
  } finally {
    await pglite.close()
  }
}
