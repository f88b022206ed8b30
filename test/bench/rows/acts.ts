import type { Bench } from '../bench.ts'
import { markRead, pick, post, react } from '../calls.ts'
import { share } from '../expectations.ts'
import type { Call } from '../load.ts'
import { againstByHand, type Filled, fill, pagesVolume, unreadReads } from '../pages.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import { seedReads, threadsOf } from '../seed.ts'
import { idOf } from '../seed-sql.ts'
import { type World, withReaders } from '../worlds.ts'

const readersEach = 20
const emoji = ['👍', '👎', '🎉', '👀', '🚀']

/** What a reader does: lists unread threads, marks a thread as read, and reacts. Rows 7 to 9 have the same volume. */
export const acts: Stage = {
  rows: [
    {
      number: '15',
      title: 'GraphQL 50 threads by last message, with unread counts and last message',
      subject: 'unread',
      baselines: ['unread by hand'],
      against: 'Fastify and one prepared statement, the same JSON',
      atMost: 2,
      expect: (row) => `A thousand people whose inbox is read again every 20 seconds use ${share(row, 50)}.`,
    },
    {
      number: '16',
      title: 'GraphQL `markRead`, by 20 readers',
      subject: 'mark',
      baselines: ['acts, post'],
      against: 'row 1 on the same database',
      atMost: 1.7,
      expect: (row) => `A thousand people who each read a thread every ten seconds use ${share(row, 100)}.`,
    },
    {
      number: '17',
      title: 'GraphQL `addReaction`, by 20 readers',
      subject: 'react',
      baselines: ['acts, post'],
      against: 'row 1 on the same database',
      atMost: 1.7,
      expect: (row) => `A thousand people who each react every minute use ${share(row, 1000 / 60)}.`,
    },
  ],

  async prepare(bench: Bench) {
    const filled = await fill(bench, 'acts', pagesVolume(bench))
    const { service, store, worlds, volume } = filled
    const [world] = worlds as [World]
    await seedReads(store, world)
    const readers = await withReaders(service.url, world, readersEach)
    const unread = await againstByHand(bench, filled, 'thread-list', unreadReads(filled))
    const on = { servers: [service], store }
    const threads = threadsOf(volume)
    return {
      unread: unread.ofService,
      'unread by hand': unread.byHand,
      mark: httpContestant(bench, { ...on, nextCall: () => nextMark(filled, readers) }),
      react: httpContestant(bench, { ...on, counted: 'reactions', nextCall: reactions(filled, readers) }),
      'acts, post': httpContestant(bench, { ...on, nextCall: () => post(world, { target: pick(threads) }) }),
    }
  },
}

function nextMark({ volume: { threads, messagesEach } }: Filled, readers: World[]): Call {
  const [thread, position] = [
    Math.floor(Math.random() * threads),
    1 + Math.floor(Math.random() * messagesEach),
  ]
  return markRead(pick(readers), idOf('thr', thread), messageAt(thread, position))
}

/** Returns reactions that do not exist yet, to messages of all threads. */
function reactions({ volume: { threads, messagesEach } }: Filled, readers: World[]): () => Call | undefined {
  let given = 0
  return () => {
    const number = given++
    const [thread, round] = [(number * 7919) % threads, Math.floor(number / threads)]
    const reader = readers[Math.floor(round / messagesEach) % readers.length]
    const mark = emoji[Math.floor(round / messagesEach / readers.length)]
    return reader && mark ? react(reader, messageAt(thread, 1 + (round % messagesEach)), mark) : undefined
  }
}

function messageAt(thread: number, position: number): string {
  return idOf('msg', position * 10_000_000 + thread)
}
