import type { Bench } from '../bench.ts'
import { pick, post } from '../calls.ts'
import { runLoad } from '../load.ts'
import type { Server } from '../processes.ts'
import { type Contestant, httpContestant } from '../rounds.ts'
import { countRows, type Store, StoreMismatch } from '../store.ts'
import type { World } from '../worlds.ts'

const keysEach = 10
const newOneIn = 10
const prepareWithinSeconds = 600

type On = { servers: Server[]; store: Store }

/** Updates messages that were posted before, so `created` is never true. */
export function uniqueByContestant(bench: Bench, on: On, world: World, threads: string[]): Contestant {
  const pairs = threads.flatMap((target) =>
    Array.from({ length: keysEach }, (_, key) => ({ target, uniqueBy: `key ${key}` })),
  )
  const prepare = async () => {
    const urls = on.servers.map((server) => server.url)
    const left = [...pairs]
    const nextCall = () => {
      const pair = left.pop()
      return pair && post(world, pair)
    }
    const load = { urls, connections: 16, warmUpSeconds: 0, seconds: prepareWithinSeconds, nextCall }
    const { errors, problems } = await runLoad(load)
    if (errors > 0) throw new Error(problems.join('\n'))
  }
  return httpContestant(bench, {
    ...on,
    prepare,
    nextCall: () => post(world, pick(pairs), { created: false }),
  })
}

/** Posts with `threadBy` to a group. One post in ten has a new value, which creates a thread. */
export function threadByContestant(bench: Bench, on: On, world: World): Contestant {
  const known: string[] = []
  const opened = new Set<string>()
  let values = 0
  const nextCall = () => {
    const isNew = known.length === 0 || Math.random() < 1 / newOneIn
    const threadBy = isNew ? `incident ${values++}` : pick(known)
    const body = { target: world.groupID, threadSubject: 'An incident', threadBy }
    const onThread = (threadID: string) => {
      if (!isNew) return
      known.push(threadBy)
      opened.add(threadID)
    }
    return post(world, body, { onThread })
  }
  const { run } = httpContestant(bench, { ...on, nextCall })
  return {
    run: async () => {
      const before = (await countRows(on.store, 'threads')) - opened.size
      const result = await run()
      const counted = await countRows(on.store, 'threads')
      if (result.errors === 0 && counted !== before + opened.size) {
        throw new StoreMismatch(`threads: ${before + opened.size} expected, ${counted} counted`)
      }
      return result
    },
  }
}
