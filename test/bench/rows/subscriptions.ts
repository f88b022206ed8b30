import type { Bench } from '../bench.ts'
import { pick, post, postText } from '../calls.ts'
import { Connection } from '../connection.ts'
import { latency, times } from '../expectations.ts'
import { runLatencies, sendSafely } from '../latencies.ts'
import type { Run } from '../load.ts'
import { startService } from '../processes.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { seedAuthors, seedVolume, threadsOf, type Volume } from '../seed.ts'
import { createStore } from '../store.ts'
import { type Subscribers, subscribe } from '../subscribers.ts'
import { makeWorld, type World, withReaders } from '../worlds.ts'
import { threadByContestant } from './keys.ts'

const volume: Volume = { threads: 1000, messagesEach: 0 }
const counts = [1, 100, 1000]
const loads = { post: '1', chat: '3', threadBy: '5' }

/** How much a subscriber slows down the writers, and how soon the subscribers receive a message. */
export const subscriptions: Stage = {
  rows: [
    ...Object.entries(loads).map(
      ([load, number]): Row => ({
        number: '21',
        title: `row ${number} while one subscriber follows the workspace`,
        subject: `${load}, followed`,
        baselines: [load],
        against: `row ${number} without a subscriber`,
        atMost: 2,
        expect: (row) =>
          `While a subscriber follows the workspace, row ${number} takes ${times(row)} the processor time.`,
      }),
    ),
    ...counts.map(
      (count): Row => ({
        number: '22',
        title: `from the 200 of a webhook to each of ${count.toLocaleString('en')} subscribers, each with its own user`,
        subject: `${count} subscribers`,
        expect: (row) =>
          `An event reaches ${count === 1 ? 'a subscriber' : `each of ${count.toLocaleString('en')} subscribers`} within ${latency('p50', row)} in half of all cases, and within ${latency('p99', row)} in 99 %.`,
      }),
    ),
  ],

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'subscriptions')
    const env = { SUBSCRIPTIONS_PER_CALLER: '10000' }
    const service = await startService(bench, { databaseURL: store.url, env })
    const world = await makeWorld(service.url)
    await seedAuthors(store, [world])
    await seedVolume(store, [world], volume)
    const threads = threadsOf(volume)
    const load = { servers: [service], store }
    const followed = (contestant: Contestant): Contestant => ({
      ...contestant,
      run: async () => {
        const subscribers = await subscribe(service.url, [world])
        return contestant.run().finally(subscribers.close)
      },
    })
    const contestants: Record<string, Contestant> = {
      post: httpContestant(bench, { ...load, nextCall: () => post(world, { target: pick(threads) }) }),
      chat: httpContestant(bench, { ...load, nextCall: () => post(world, { target: world.groupID }) }),
      threadBy: threadByContestant(bench, load, world),
    }
    for (const name of Object.keys(loads))
      contestants[`${name}, followed`] = followed(contestants[name] as Contestant)
    for (const count of counts) {
      const readers = await withReaders(service.url, world, bench.effort.quick ? Math.min(count, 20) : count)
      const run = async () => {
        const subscribers = await subscribe(service.url, readers)
        return latencies(bench, { url: service.url, pid: service.pid, world, subscribers }).finally(
          subscribers.close,
        )
      }
      contestants[`${count} subscribers`] = { run }
    }
    return contestants
  },
}

type Delivery = { url: string; pid: number; world: World; subscribers: Subscribers }

/** Posts one message after another. Measures the time from the response until each subscriber has the message. */
function latencies(bench: Bench, { url, pid, world, subscribers }: Delivery): Promise<Run> {
  const connection = new Connection(url)
  return runLatencies(bench, pid, async () => {
    const call = postText(world, world.groupID)
    const received = subscribers.received(call.text)
    await sendSafely(connection, call)
    const answered = performance.now()
    return (await received).map((time) => time - answered)
  }).finally(() => connection.close())
}
