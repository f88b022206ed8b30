import type { Bench } from '../bench.ts'
import { expectFound, expectPage, pageQuery, pick, query, searchQuery } from '../calls.ts'
import { perProcessor, times } from '../expectations.ts'
import type { Call } from '../load.ts'
import { type Filled, fill, mapMemory } from '../pages.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { threadsOf } from '../seed.ts'
import { rareMessages, rareWord } from '../seed-search.ts'
import { commonWords } from '../words.ts'
import type { World } from '../worlds.ts'

const messagesEach = 100
const small = 1000
const large = 10_000
const quickSmall = 200
const quickLarge = 1000
/** The row measures how long one search takes while no other search runs. */
const connections = 1
const pageSize = 50
/** Each of these words is in at least a fifth of the messages. */
const mostCommon = commonWords.slice(0, 10)

const rowOf = (words: string, title: string): Row[] => [
  {
    number: '19',
    title: `search for ${title}, 100,000 messages, one connection`,
    subject: `${words}, small`,
    baselines: ['page, small'],
    against: 'row 8 on the same messages',
    atMost: words === 'rare' ? 1.5 : 2.5,
    expect: (row) => `One processor answers about ${perProcessor(row)} searches a second for ${title}.`,
  },
  {
    number: '19',
    title: `search for ${title}, 1,000,000 messages, one connection`,
    subject: `${words}, large`,
    baselines: [`${words}, small`],
    against: 'the same at 100,000 messages',
    atMost: 1.5,
    expect: (row) => `With ten times as many messages, this search takes ${times(row)} the processor time.`,
  },
]

/** How the cost of a search depends on the frequency of its words and on the number of messages, in one workspace. */
export const search: Stage = {
  rows: [
    ...rowOf('rare', `words that are in ${rareMessages} messages`),
    ...rowOf('common', 'words that are in a fifth of the messages or more'),
  ],

  async prepare(bench: Bench) {
    const [few, many] = bench.effort.quick ? [quickSmall, quickLarge] : [small, large]
    return { ...(await contestantsOn(bench, few, 'small')), ...(await contestantsOn(bench, many, 'large')) }
  },
}

async function contestantsOn(
  bench: Bench,
  threads: number,
  size: string,
): Promise<Record<string, Contestant>> {
  const volume = { threads, messagesEach, people: 3, searchable: true }
  const filled = await fill(bench, `search_${size}`, volume)
  const { service, store } = filled
  const on = (nextCall: () => Call) =>
    httpContestant(bench, {
      servers: [service],
      store,
      connections,
      nextCall,
      prepare: () => mapMemory(bench, service, nextCall),
    })
  const rare = (threads * messagesEach) / rareMessages
  const ids = threadsOf(volume)
  return {
    [`rare, ${size}`]: on(() => searchFor(filled, rareWord(Math.floor(Math.random() * rare)), rareMessages)),
    [`common, ${size}`]: on(() => searchFor(filled, pick(mostCommon), pageSize)),
    [`page, ${size}`]: on(() => pageOf(filled, pick(ids))),
  }
}

function searchFor({ worlds }: Filled, words: string, found: number): Call {
  return query(worlds[0] as World, searchQuery, { words }, expectFound(words, found))
}

function pageOf({ worlds }: Filled, id: string): Call {
  return query(worlds[0] as World, pageQuery, { id }, expectPage(id, pageSize))
}
