import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, say } from '../bench.ts'
import { expectList, expectMe, listQuery, meQuery, pick, post, query } from '../calls.ts'
import { atEnd } from '../closing.ts'
import type { Assault } from '../hostile-process.ts'
import { type Hostile, type Hostility, hostilities } from '../hostilities.ts'
import { type Call, runLoad } from '../load.ts'
import { runOpenLoad, type Steady } from '../open-load.ts'
import { newPath, type Server, startService } from '../processes.ts'
import type { Contestant, Row, Stage } from '../rounds.ts'
import { createStore } from '../store.ts'
import { makeSentences } from '../words.ts'
import { makeWorld, type World } from '../worlds.ts'

const connections = 100
const perSecond = 10
const seconds = 10
const quickSeconds = 4
const headStartMs = 1000
const bounds = { PostgreSQL: 250, embedded: 1000 }
const threadsEach = { PostgreSQL: 500, embedded: 100 }
const messagesEach = 20
const longMessages = 20
const longCharacters = 40_000
const fillWithinSeconds = 600

type Where = keyof typeof bounds
const places = Object.keys(bounds) as Where[]
const kinds = ['nothing', ...Object.keys(hostilities)] as ('nothing' | Hostility)[]

const nameOf = (where: Where, kind: string) => `${where}: ${kind}`

/** The latency of a caller while a caller in another workspace uses its full limits over 100 connections. */
export const fairness: Stage = {
  rows: places.flatMap((where) =>
    kinds.map(
      (kind): Row => ({
        number: '20',
        title: `posts, \`me\` and lists of one caller while another one sends ${kind}, ${where}`,
        subject: nameOf(where, kind),
        baselines: [],
        against: 'its p99, from the moment when a call is due',
        ratio: (run) => (run.errors > 0 ? Number.POSITIVE_INFINITY : run.p99),
        unit: 'ms',
        wanted: { atMost: bounds[where] },
      }),
    ),
  ),

  async prepare(bench: Bench, names) {
    const contestants: Record<string, Contestant> = {}
    for (const where of places) {
      if (![...names].some((name) => name.startsWith(where))) continue
      const scene = await setScene(bench, where)
      for (const kind of kinds) contestants[nameOf(where, kind)] = { run: () => besides(bench, scene, kind) }
    }
    return contestants
  },
}

type Scene = { service: Server; innocent: World; threads: string[]; hostile: Hostile }

async function setScene(bench: Bench, where: Where): Promise<Scene> {
  const databaseURL = where === 'PostgreSQL' ? (await createStore(bench, 'fairness')).url : undefined
  const dataDir = newPath(bench, 'fairness')
  const env = { GRAPHQL_OPERATIONS_AT_ONCE: '8' }
  const service = await startService(bench, { ...(databaseURL && { databaseURL }), dataDir, env })
  const [innocent, world] = [await makeWorld(service.url), await makeWorld(service.url)]
  const threads = await openThreads(service, innocent, 50)
  await openThreads(service, world, threadsEach[where])
  const [longThreadID = ''] = await openThreads(service, world, 1, longText, longMessages)
  return { service, innocent, threads, hostile: { world, longThreadID } }
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

async function besides(bench: Bench, scene: Scene, kind: 'nothing' | Hostility) {
  const { service, innocent, threads, hostile } = scene
  const stop =
    kind === 'nothing'
      ? undefined
      : assault({ url: service.url, hostility: kind, connections, hostiles: [hostile] })
  await sleep(headStartMs)
  const run = await runOpenLoad(
    service.url,
    innocentCalls(innocent, threads),
    bench.effort.quick ? quickSeconds : seconds,
  )
  const answered = await stop?.()
  say(`  ${kind}: ${JSON.stringify(answered ?? {})}, p99 ${run.p99.toFixed(0)} ms, ${run.errors} errors`)
  return run
}

function innocentCalls(world: World, threads: string[]): Steady[] {
  return [
    { perSecond, nextCall: () => post(world, { target: pick(threads) }) },
    { perSecond, nextCall: () => query(world, meQuery, {}, expectMe(world)) },
    { perSecond, nextCall: () => query(world, listQuery, {}, expectList(threads.length)) },
    { perSecond: 1, nextCall: isReady },
  ]
}

function isReady(): Call {
  return { method: 'GET', path: '/health/ready', check: () => 'answered' }
}

/** Starts sending. The returned function stops it and returns the counts of responses. */
function assault(given: Assault): () => Promise<unknown> {
  const child = fork(join(import.meta.dirname, '../hostile-process.ts'), { execArgv: ['--import', 'tsx'] })
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
