import type { Bench } from '../bench.ts'
import { nextText, pick, post } from '../calls.ts'
import type { Call } from '../load.ts'
import { runPgbench } from '../pgbench.ts'
import { postsOver } from '../posts-over.ts'
import { startBaseline, startService } from '../processes.ts'
import { httpContestant, type Stage } from '../rounds.ts'
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
      wanted: { atLeast: 0.4 },
    },
    {
      number: '1b',
      title: 'row 1 over 100 workspaces of 10 threads',
      subject: 'spread post',
      baselines: ['post'],
      against: 'row 1',
      wanted: { atLeast: 0.7 },
    },
    {
      number: '2',
      title: 'webhook POST, new messages, 1,000 threads',
      subject: 'post',
      baselines: ['pgbench'],
      against: 'pgbench, one such row per transaction, 32 clients',
      wanted: { atLeast: 0.6 },
    },
    {
      number: '3',
      title: 'webhook POST, all into one group chat',
      subject: 'chat',
      baselines: ['post'],
      against: 'row 1',
      wanted: { atLeast: 0.9 },
    },
    {
      number: '4',
      title: 'webhook POST with `uniqueBy` updating 10,000 messages',
      subject: 'uniqueBy',
      baselines: ['post'],
      against: 'row 1',
      wanted: { atLeast: 0.6 },
    },
    {
      number: '5',
      title: 'webhook POST with `threadBy` and `threadSubject`, one in ten opens a thread',
      subject: 'threadBy',
      baselines: ['post'],
      against: 'row 1',
      wanted: { atLeast: 0.5 },
    },
    {
      number: '13',
      title: 'webhook POST, one connection',
      subject: 'one post',
      baselines: ['one insert', 'one echo'],
      against: 'p50 of a single prepared insert plus p50 of the echo',
      ratio: (run, insert, echo) => run.p50 / ((insert?.p50 ?? 0) + (echo?.p50 ?? 0)),
      wanted: { atMost: 1.5 },
    },
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
