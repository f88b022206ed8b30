import { seedNamed } from '../amend.ts'
import type { Bench } from '../bench.ts'
import { expectAtMostFound, query, searchQuery } from '../calls.ts'
import { times } from '../expectations.ts'
import { processorMs, type Run } from '../load.ts'
import { fill } from '../pages.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { type World, withReaders } from '../worlds.ts'

const threads = 10_000
const messagesEach = 20
/** The number of threads that each caller sees. */
const callers = [100, 10, 250, 1000, 5000]
/** The row measures how long one search takes while no other search runs. */
const connections = 1

/** Words that find the same number of messages for every caller. A rare word would find more for some callers. */
const searches: Record<string, () => string> = {
  'no message contains': () => 'nowhere-to-be-found',
  'is common': () => 'the',
}

const [base = '', ...others] = callers.map((sees) => ` by ${sees}`)

const rowOf = (words: string): Row => ({
  number: '19b',
  title: `search for a word that ${words}, by callers who see 10 to 5,000 of 10,000 threads with 200,000 messages`,
  subject: words + base,
  baselines: others.map((caller) => words + caller),
  against: 'the most expensive other caller, compared with the caller who sees 100',
  ratio: (run: Run, ...slower: Run[]) => Math.max(...slower.map(processorMs)) / processorMs(run),
  atMost: 2,
  expect: (row) =>
    `A search for a word that ${words} takes the most expensive caller ${times(row)} the processor time of a caller with 100 threads.`,
})

export const searchCallers: Stage = {
  rows: Object.keys(searches).map(rowOf),

  async prepare(bench: Bench) {
    const volume = { threads, messagesEach, people: 3, searchable: true, group: 'privateGroupID' } as const
    const { service, store, worlds } = await fill(bench, 'search_callers', volume)
    const [world] = worlds as [World]
    const readers = await withReaders(service.url, world, callers.length)
    const contestants: Record<string, Contestant> = {}
    for (const [index, reader] of readers.entries()) {
      const sees = callers[index] ?? 1
      await seedNamed(store, world, reader.appUserID, threads / sees)
      for (const [name, nextWords] of Object.entries(searches)) {
        const nextCall = () => {
          const words = nextWords()
          return query(reader, searchQuery, { words }, expectAtMostFound(words, 50))
        }
        const on = { servers: [service], store, connections, nextCall }
        contestants[`${name} by ${sees}`] = httpContestant(bench, on)
      }
    }
    return contestants
  },
}
