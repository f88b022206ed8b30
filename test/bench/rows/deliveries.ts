import type { Bench } from '../bench.ts'
import { post } from '../calls.ts'
import { Connection } from '../connection.ts'
import {
  arrivals,
  forgetArrivals,
  makeEndpoints,
  pause,
  resume,
  sendsToReceiver,
  skip,
} from '../endpoints.ts'
import { latency, perProcessor, times } from '../expectations.ts'
import { runLatencies, sendSafely } from '../latencies.ts'
import { type Run, runLoad } from '../load.ts'
import { startMeter } from '../meter.ts'
import { type Server, startBaseline, startService } from '../processes.ts'
import type { Contestant, Stage } from '../rounds.ts'
import { seedAuthors, seedVolume, threadsOf, type Volume } from '../seed.ts'
import { createStore, type Store, settle } from '../store.ts'
import { makeWorld, type World } from '../worlds.ts'

const volume: Volume = { threads: 1000, messagesEach: 0 }
const [endpoints, hanging] = [90, 10]
const messages = { one: 5000, many: 100 }
const quickMessages = { one: 300, many: 10 }
const postWithinSeconds = 600

/** How many events a second reach receivers, and how soon a receiver has an event. */
export const deliveries: Stage = {
  rows: [
    {
      number: '23',
      title: 'missed events to one receiver that answers immediately',
      subject: 'one',
      baselines: ['many'],
      against: `events to ${endpoints} endpoints`,
      expect: (row) => `One processor delivers about ${perProcessor(row)} events a second to one endpoint.`,
    },
    {
      number: '23',
      title: `events to ${endpoints} endpoints while ${hanging} others do not answer`,
      subject: 'many, some hang',
      baselines: ['many'],
      against: `the ${endpoints} endpoints alone`,
      atMost: 1.25,
      expect: (row) =>
        `Endpoints that do not answer make a delivery to the others cost ${times(row)} as much.`,
    },
    {
      number: '23',
      title: 'from the 200 of a webhook to the receiver',
      subject: 'latency',
      expect: (row) =>
        `A receiver has half of the events within ${latency('p50', row)}, and 99 % within ${latency('p99', row)}.`,
    },
  ],

  async prepare(bench: Bench) {
    const scene = await setScene(bench)
    const { service, store, world, receiver } = scene
    const make = (paths: string[]) =>
      makeEndpoints(
        service,
        store,
        world,
        paths.map((path) => receiver.url + path),
      )
    const one = await make(['/one'])
    const many = await make(Array.from({ length: endpoints }, (_, number) => `/many/${number}`))
    const count = bench.effort.quick ? quickMessages : messages
    // An endpoint that did not answer in an earlier round gets one request at a time. Therefore each round has new
    // endpoints.
    const withHanging = async () => {
      const others = await make(Array(hanging).fill('/hang'))
      const run = drain(bench, scene, { counted: many, others, messages: count.many })
      // Ends the requests that hang, so that they do not slow down the next run.
      return run.finally(() => forgetArrivals(receiver))
    }
    const contestants: Record<string, Contestant> = {
      one: { run: () => drain(bench, scene, { counted: one, others: [], messages: count.one }) },
      many: { run: () => drain(bench, scene, { counted: many, others: [], messages: count.many }) },
      'many, some hang': { run: withHanging },
      latency: { run: () => measureLatency(bench, scene, one) },
    }
    return contestants
  },
}

type Scene = { service: Server; store: Store; world: World; receiver: Server }

async function setScene(bench: Bench): Promise<Scene> {
  const store = await createStore(bench, 'deliveries')
  const service = await startService(bench, { databaseURL: store.url, env: sendsToReceiver })
  const world = await makeWorld(service.url)
  await seedAuthors(store, [world])
  await seedVolume(store, [world], volume)
  return { service, store, world, receiver: await startBaseline(bench, 'receiver') }
}

type Backlog = { counted: string[]; others: string[]; messages: number }

/** Posts messages while all endpoints are paused. Then measures how fast the events arrive. */
async function drain(bench: Bench, scene: Scene, { counted, others, messages }: Backlog): Promise<Run> {
  const { service, store, receiver } = scene
  const all = [...counted, ...others]
  await skip(store, all)
  await postAll(scene, messages)
  await settle(store)
  await forgetArrivals(receiver)
  const stop = startMeter([service.pid], bench.cluster)
  const expected = messages * counted.length
  await resume(store, all)
  const { first, last } = await arrivals(receiver, expected)
  const cost = stop()
  await pause(store, all)
  const unknown = { p50: Number.NaN, p95: Number.NaN, p99: Number.NaN }
  const perSecond = ((expected - 1) / (last - first)) * 1000
  return { perSecond, ...unknown, requests: expected, errors: 0, problems: [], made: messages, cost }
}

async function postAll({ service, world }: Scene, count: number): Promise<void> {
  const threads = threadsOf(volume)
  let posted = 0
  const nextCall = () =>
    posted < count ? post(world, { target: threads[posted++ % threads.length] ?? '' }) : undefined
  const load = { connections: 16, warmUpSeconds: 0, seconds: postWithinSeconds, nextCall }
  const { made, problems } = await runLoad({ urls: [service.url], ...load })
  if (made !== count) throw new Error(`Not all messages were posted: ${problems.join(', ')}`)
}

/** Posts messages one at a time. Waits until the receiver has a message before it posts the next one. */
async function measureLatency(bench: Bench, scene: Scene, endpointIDs: string[]): Promise<Run> {
  const { service, store, world, receiver } = scene
  await settle(store)
  await skip(store, endpointIDs)
  await resume(store, endpointIDs)
  await forgetArrivals(receiver)
  const connection = new Connection(service.url)
  let count = 0
  const run = await runLatencies(bench, service.pid, async () => {
    await sendSafely(connection, post(world, { target: world.groupID }))
    const answered = Number(process.hrtime.bigint()) / 1e6
    const { last } = await arrivals(receiver, ++count)
    return [last - answered]
  }).finally(() => connection.close())
  await pause(store, endpointIDs)
  return run
}
