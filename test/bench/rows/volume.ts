import { removePosted } from '../amend.ts'
import type { Bench } from '../bench.ts'
import { pick, post } from '../calls.ts'
import { times } from '../expectations.ts'
import type { Call } from '../load.ts'
import { type Filled, fill, listReads, mapMemory, pageReads } from '../pages.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { threadsOf } from '../seed.ts'
import { type World, withReaders } from '../worlds.ts'

const each = { messagesEach: 50, people: 3, attachments: true }
const small = { volume: { threads: 200, ...each }, worlds: 1 }
/** As many messages as `small`, and as many threads as one workspace of `large`. */
const smallForPosts = { ...small.volume, threads: 1000, messagesEach: 10 }
const large = { volume: { threads: 40_000, ...each }, worlds: 40 }
const quickLarge = { volume: { threads: 4000, ...each }, worlds: 4 }

const rowOf = (name: string, title: string, what: string): Row => ({
  number: '11',
  title: `${title} at 2,000,000 messages in 40,000 threads of 40 workspaces`,
  subject: `${name}, large`,
  baselines: [`${name}, small`],
  against: 'the same at 10,000 messages',
  atMost: 1.2,
  expect: (row) => `With 2,000,000 messages, ${what} takes ${times(row)} the processor time as with 10,000.`,
})

/**
 * The posts go to one workspace, and the reads go to all. Both sizes have the same number of readers, because
 * concurrent requests of one reader are batched.
 */
export const volume: Stage = {
  rows: [
    rowOf('post', 'row 1', 'a post'),
    rowOf('page', 'row 8', 'a page of a thread'),
    rowOf('list', 'row 9', 'a list of threads'),
  ],

  async prepare(bench: Bench) {
    const most = bench.effort.quick ? quickLarge : large
    const few = await fill(bench, 'small', small.volume, small.worlds)
    const fewForPosts = await fill(bench, 'small_posts', smallForPosts)
    const many = await fill(bench, 'large', most.volume, most.worlds)
    const [world] = few.worlds as [World]
    const readers = [await withReaders(few.service.url, world, most.worlds)]
    return {
      'post, small': postsOn(bench, fewForPosts),
      'post, large': postsOn(bench, many),
      ...readsOn(bench, { ...few, readers }, 'small'),
      ...readsOn(bench, many, 'large'),
    }
  },
}

function postsOn(bench: Bench, { service, store, worlds, volume }: Filled): Contestant {
  const [world] = worlds as [World]
  const threads = threadsOf(volume, 0, worlds.length)
  const nextCall = () => post(world, { target: pick(threads) })
  const posts = httpContestant(bench, { servers: [service], store, nextCall })
  const run = async () => {
    const run = await posts.run()
    await removePosted(store, world)
    return run
  }
  return { run }
}

function readsOn(bench: Bench, filled: Filled, size: string): Record<string, Contestant> {
  const { service, store } = filled
  const page = pageReads(filled)
  const list = listReads(filled)
  const on = (nextCall: () => Call) =>
    httpContestant(bench, {
      servers: [service],
      store,
      nextCall,
      prepare: () => mapMemory(bench, service, nextCall),
    })
  return {
    [`page, ${size}`]: on(() => page().ofService()),
    [`list, ${size}`]: on(() => list().ofService()),
  }
}
