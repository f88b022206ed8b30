import type { Bench } from '../bench.ts'
import { nextText, pick, post } from '../calls.ts'
import { latency, share, times } from '../expectations.ts'
import type { Call } from '../load.ts'
import { runPgbench } from '../pgbench.ts'
import { postsOver } from '../posts-over.ts'
import { startBaseline, startService } from '../processes.ts'
import { httpContestant, type Row, type Stage } from '../rounds.ts'
import { seedAuthors, seedVolume, threadsOf, type Volume } from '../seed.ts'
import { runSingleInserts } from '../single-inserts.ts'
import { createStore } from '../store.ts'
import { makeWorld, makeWorlds } from '../worlds.ts'
import { threadByContestant, uniqueByContestant } from './keys.ts'

const volume: Volume = { threads: 1000, messagesEach: 0 }
const spreadVolume: Volume = { ...volume, first: volume.threads }
const workspaces = 100

/** The write path: 1,000 threads in one workspace, and 1,000 threads in a hundred workspaces. */
export const posts: Stage = {
  rows: [
    {
      number: '1',
      title: 'webhook POST, new messages, 1,000 threads',
      subject: 'post',
      baselines: ['echo'],
      against: 'bare Fastify JSON echo',
      atMost: 4.5,
      expect: (row) =>
        `A build server that posts 100 messages a second uses ${share(row, 100)}, the database included.`,
    },
    {
      number: '1b',
      title: 'row 1 over 100 workspaces of 10 threads',
      subject: 'spread post',
      baselines: ['post'],
      against: 'row 1',
      atMost: 1.4,
      expect: (row) =>
        `A hundred workspaces that post 100 messages a second together use ${share(row, 100)}.`,
    },
    {
      number: '2',
      title: 'webhook POST, new messages, 1,000 threads',
      subject: 'post',
      baselines: ['pgbench'],
      against: 'pgbench, one such row per transaction, 32 clients',
      atMost: 1.2,
      expect: (row) =>
        `A message through a webhook takes ${times(row)} the processor time of a program that only inserts it.`,
    },
    {
      number: '3',
      title: 'webhook POST, all into one group chat',
      subject: 'chat',
      baselines: ['post'],
      against: 'row 1',
      atMost: 1.1,
      expect: (row) => `A chat that receives 100 messages a second uses ${share(row, 100)}.`,
    },
    {
      number: '4',
      title: 'webhook POST with `uniqueBy` updating 10,000 messages',
      subject: 'uniqueBy',
      baselines: ['post'],
      against: 'row 1',
      atMost: 1.7,
      expect: (row) => `A monitor that updates 100 of its messages a second uses ${share(row, 100)}.`,
    },
    {
      number: '5',
      title: 'webhook POST with `threadBy` and `threadSubject`, one in ten opens a thread',
      subject: 'threadBy',
      baselines: ['post'],
      against: 'row 1',
      atMost: 2,
      expect: (row) =>
        `An alert system that posts 100 messages a second, and opens a thread with ten of them, uses ${share(row, 100)}.`,
    },
    {
      number: '13',
      title: 'webhook POST, one connection',
      subject: 'one post',
      expect: (row) => `A message that is alone is answered after ${latency('p50', row)}.`,
    },
    ...Object.entries({ insert: 'the insert of row 2 from Node', echo: 'the echo of row 1' }).map(
      ([name, title]): Row => ({
        number: '13',
        title: `${title}, one connection`,
        subject: `one ${name}`,
        expect: (row) => `To compare: ${title} takes ${latency('p50', row)}.`,
      }),
    ),
  ],

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'posts')
    const service = await startService(bench, { databaseURL: store.url })
    const echo = await startBaseline(bench, 'echo')
    const world = await makeWorld(service.url)
    await seedAuthors(store, [world])
    await seedVolume(store, [world], volume)
    const others = await makeWorlds(service.url, workspaces)
    await seedVolume(store, others, spreadVolume)
    const threads = threadsOf(volume)
    const load = { servers: [service], store }
    const postCall = () => post(world, { target: pick(threads) })
    const echoed = { servers: [echo], nextCall: () => echoCall(pick(threads)) }
    return {
      post: httpContestant(bench, { ...load, nextCall: postCall }),
      'spread post': httpContestant(bench, { ...load, nextCall: postsOver(others, spreadVolume) }),
      echo: httpContestant(bench, echoed),
      pgbench: { run: () => runPgbench(bench, store, world, volume.threads) },
      chat: httpContestant(bench, { ...load, nextCall: () => post(world, { target: world.groupID }) }),
      uniqueBy: uniqueByContestant(bench, load, world, threads),
      threadBy: threadByContestant(bench, load, world),
      'one post': httpContestant(bench, { ...load, connections: 1, nextCall: postCall }),
      'one echo': httpContestant(bench, { ...echoed, connections: 1 }),
      'one insert': { run: () => runSingleInserts(bench, store, world, threads) },
    }
  },
}

function echoCall(target: string): Call {
  const text = nextText()
  return {
    method: 'POST',
    path: '/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ target, text }),
    check: (answer) => {
      const echoed = answer as { target?: string; text?: string }
      if (echoed.target !== target || echoed.text !== text) throw new Error('The echo is different')
      return 'answered'
    },
  }
}
