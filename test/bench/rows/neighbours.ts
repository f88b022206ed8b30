import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, say } from '../bench.ts'
import { postText } from '../calls.ts'
import { atEnd } from '../closing.ts'
import { makeEndpoints, pause, resume, sendsToReceiver, skip } from '../endpoints.ts'
import { latency } from '../expectations.ts'
import { floods } from '../floods.ts'
import type { Assault } from '../hostile-process.ts'
import { type Hostile, hostilities } from '../hostilities.ts'
import type { Run } from '../load.ts'
import { type Delay, runOpenLoad, summarize } from '../open-load.ts'
import { startBaseline } from '../processes.ts'
import type { Contestant, Row, Stage } from '../rounds.ts'
import { assault, innocentReads, makeHostile, type Scene, setScene } from '../scene.ts'
import type { Store } from '../store.ts'
import { subscribe } from '../subscribers.ts'

const postsPerSecond = 8
const seconds = 20
const quickSeconds = 6
const headStartMs = 1000
/** Events that have not arrived this long after the last post count as errors. */
const arrivedWithinMs = 20_000

type Kind = 'nothing' | Assault['kind']
const kinds = ['nothing', ...Object.keys(hostilities), ...Object.keys(floods)] as Kind[]
const parts = {
  answers: 'the answers of one caller',
  events: 'the events of its subscriber',
  deliveries: 'the deliveries to its endpoint',
}
type Part = keyof typeof parts
type Parts = Record<Part, Run>

/** Whether what waits for one caller grows, while a caller in another workspace does its worst. */
export const neighbours: Stage = {
  rounds: 1,
  rows: kinds.flatMap((kind) =>
    Object.entries(parts).map(
      ([part, title]): Row => ({
        number: '24',
        title: `${title} while another one sends ${kind}`,
        subject: `${kind}: ${part}`,
        expect: (_, all) => {
          const of = (part: Part) => all.filter(({ subject }) => subject.endsWith(`: ${part}`))
          const [answers, events, deliveries] = ['answers', 'events', 'deliveries'].map((part) =>
            latency('p95', ...of(part as Part)),
          )
          return `Whatever a caller of another workspace sends, 95 % of the answers arrive within ${answers}, of the events within ${events}, and of the deliveries within ${deliveries}.`
        },
      }),
    ),
  ),

  async prepare(bench: Bench) {
    const stage = await setStage(bench)
    const contestants: Record<string, Contestant> = {}
    for (const kind of kinds) {
      // One run measures all parts. The first part runs it.
      let run: Promise<Parts> | undefined
      const measured = () => {
        run ??= measure(bench, stage, kind)
        return run
      }
      for (const part of Object.keys(parts) as Part[])
        contestants[`${kind}: ${part}`] = { run: async () => (await measured())[part] }
    }
    return contestants
  },
}

type Target = { hostile: Hostile; endpointIDs: string[] }
type Stages = Scene & {
  store: Store
  endpointIDs: string[]
  arrivals: Arrivals
  targets: Partial<Record<Kind, Target>>
}

async function setStage(bench: Bench): Promise<Stages> {
  const scene = await setScene(bench, 'PostgreSQL', sendsToReceiver)
  const { service, store, innocent } = scene
  if (!store) throw new Error('The scene has no store')
  const arrivals = await receive()
  const receiver = await startBaseline(bench, 'receiver')
  const target = async (urls: string[]) => {
    const hostile = await makeHostile(service, 'PostgreSQL')
    return { hostile, endpointIDs: await makeEndpoints(service, store, hostile.world, urls) }
  }
  return {
    ...scene,
    store,
    arrivals,
    endpointIDs: await makeEndpoints(service, store, innocent, [arrivals.url]),
    targets: {
      'messages to 20 slow endpoints': await target(Array(20).fill(`${receiver.url}/slow`)),
      'messages to 300 endpoints': await target(
        Array.from({ length: 300 }, (_, number) => `${receiver.url}/wide/${number}`),
      ),
    },
  }
}

type Arrivals = { url: string; expect: (text: string, onArrival: () => void) => void }

/** Receives the events of the innocent caller in this process, whose clock measures the delays. */
async function receive(): Promise<Arrivals> {
  const expected = new Map<string, () => void>()
  const server = createServer(async (request, response) => {
    const { event } = JSON.parse(await text(request))
    response.writeHead(204).end()
    expected.get(event.message.text)?.()
    expected.delete(event.message.text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, expect: (sent, onArrival) => expected.set(sent, onArrival) }
}

async function measure(bench: Bench, stage: Stages, kind: Kind): Promise<Parts> {
  const { service, store, endpointIDs, targets } = stage
  const target = targets[kind] ?? { hostile: stage.hostile, endpointIDs: [] }
  const active = [...endpointIDs, ...target.endpointIDs]
  await skip(store, active)
  await resume(store, active)
  const stop = kind === 'nothing' ? undefined : assault({ url: service.url, kind, hostile: target.hostile })
  await sleep(headStartMs)
  const run = await innocentRun(stage, bench.effort.quick ? quickSeconds : seconds)
  const answered = await stop?.()
  await pause(store, active)
  const p99s = Object.entries(run).map(([part, { p99 }]) => `${part} ${p99.toFixed(0)} ms`)
  say(`  ${kind}: ${JSON.stringify(answered ?? {})}, p99 of ${p99s.join(', ')}`)
  return run
}

async function innocentRun(stage: Stages, duration: number): Promise<Parts> {
  const { service, innocent, threads, arrivals } = stage
  const [target = ''] = threads
  const subscribers = await subscribe(service.url, [innocent])
  const delays: Record<'events' | 'deliveries', Delay[]> = { events: [], deliveries: [] }
  let posted = 0
  const nextPost = (due: number) => {
    const call = postText(innocent, target)
    posted++
    void subscribers.received(call.text).then(([at = 0]) => delays.events.push({ due, ms: at - due }))
    arrivals.expect(call.text, () => delays.deliveries.push({ due, ms: performance.now() - due }))
    return call
  }
  const posts = { perSecond: postsPerSecond, nextCall: nextPost }
  const answers = await runOpenLoad(service.url, [posts, ...innocentReads(stage)], duration)
  const isMissing = (list: Delay[]) => list.length < posted
  for (let waited = 0; waited < arrivedWithinMs; waited += 100) {
    if (!Object.values(delays).some(isMissing)) break
    await sleep(100)
  }
  subscribers.close()
  const arrived = (list: Delay[]) => {
    const errors = posted - list.length
    const problems = errors > 0 ? [`${errors} of ${posted} did not arrive`] : []
    return summarize(list, { requests: list.length, errors, problems }, duration)
  }
  return { answers, events: arrived(delays.events), deliveries: arrived(delays.deliveries) }
}
