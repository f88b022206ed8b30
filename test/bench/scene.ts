import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { expectList, expectMe, listQuery, meQuery, pick, post, query } from './calls.ts'
import { atEnd } from './closing.ts'
import type { Assault } from './hostile-process.ts'
import type { Hostile } from './hostilities.ts'
import { type Call, runLoad } from './load.ts'
import type { Steady } from './open-load.ts'
import { newPath, type Server, startService } from './processes.ts'
import { createStore, type Store } from './store.ts'
import { makeSentences } from './words.ts'
import { makeWorld, type World } from './worlds.ts'

const perSecond = 10
const threadsEach = { PostgreSQL: 500, embedded: 100 }
const messagesEach = 20
const longMessages = 20
const longCharacters = 40_000
const fillWithinSeconds = 600

type Where = keyof typeof threadsEach

/** An innocent caller in one workspace, and a hostile one in another. The embedded database has no store. */
export type Scene = {
  service: Server
  store: Store | undefined
  innocent: World
  threads: string[]
  hostile: Hostile
}

export async function setScene(
  bench: Bench,
  where: Where,
  settings: Record<string, string> = {},
): Promise<Scene> {
  const store = where === 'PostgreSQL' ? await createStore(bench, 'fairness') : undefined
  const dataDir = newPath(bench, 'fairness')
  const env = { GRAPHQL_OPERATIONS_AT_ONCE: '8', ...settings }
  const service = await startService(bench, { ...(store && { databaseURL: store.url }), dataDir, env })
  const innocent = await makeWorld(service.url)
  const threads = await openThreads(service, innocent, 50)
  return { service, store, innocent, threads, hostile: await makeHostile(service, where) }
}

export async function makeHostile(service: Server, where: Where): Promise<Hostile> {
  const world = await makeWorld(service.url)
  const threads = await openThreads(service, world, threadsEach[where])
  const [longThreadID = ''] = await openThreads(service, world, 1, longText, longMessages)
  return { world, threads, longThreadID }
}

const sentences = makeSentences()
const shortText = () => `${pick(sentences)}. ${pick(sentences)}. ${pick(sentences)}`
const longText = () =>
  '**Bold** _words_ `code` [link](https://example.com) and\n\n- more\n'.repeat(longCharacters / 70)

async function openThreads(
  { url }: Server,
  world: World,
  count: number,
  text = shortText,
  each = messagesEach,
): Promise<string[]> {
  const threads = new Set<string>()
  let asked = 0
  const nextCall = () => {
    const number = Math.floor(asked++ / each)
    if (number >= count) return undefined
    const subject = `Subject ${number}`
    const body = { target: world.groupID, threadSubject: subject, threadBy: subject }
    const call = post(world, body, { onThread: (threadID) => threads.add(threadID) })
    return { ...call, body: JSON.stringify({ ...body, text: text() }) }
  }
  const load = { connections: 16, warmUpSeconds: 0, seconds: fillWithinSeconds, nextCall }
  const { errors, problems } = await runLoad({ urls: [url], ...load })
  if (errors > 0) throw new Error(`Not all threads were opened: ${problems.join(', ')}`)
  return [...threads]
}

/** The calls of the innocent caller, without its posts. */
export function innocentReads({ innocent, threads }: Scene): Steady[] {
  return [
    { perSecond, nextCall: () => query(innocent, meQuery, {}, expectMe(innocent)) },
    { perSecond, nextCall: () => query(innocent, listQuery, {}, expectList(threads.length)) },
    { perSecond: 1, nextCall: isReady },
  ]
}

function isReady(): Call {
  return { method: 'GET', path: '/health/ready', check: () => 'answered' }
}

/** Starts sending. The returned function stops it and returns the counts of responses. */
export function assault(given: Assault): () => Promise<unknown> {
  const child = fork(join(import.meta.dirname, 'hostile-process.ts'), { execArgv: ['--import', 'tsx'] })
  const stop = atEnd(async () => void child.kill())
  child.send(given)
  return async () => {
    const answered = once(child, 'message')
    child.send('stop')
    const [counts] = await answered
    await stop()
    return counts
  }
}
