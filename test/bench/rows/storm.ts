import type { Bench } from '../bench.ts'
import { times } from '../expectations.ts'
import { type Filled, fill, listReads } from '../pages.ts'
import { postsOver } from '../posts-over.ts'
import { type Contestant, httpContestant, type Stage } from '../rounds.ts'

const small = 1000
const large = 100_000
const quickLarge = 10_000

/** Lists threads by last message, immediately after posts to very many random threads. */
export const storm: Stage = {
  rows: [
    {
      number: '9c',
      title: 'row 9 just after row 1 has posted at random to 100,000 threads of 10 messages',
      subject: 'list, large',
      baselines: ['list, small'],
      against: 'the same with 1,000 threads',
      atMost: 2,
      expect: (row) =>
        `If very many threads were active in the same seconds, the list takes ${times(row)} the processor time.`,
    },
  ],

  async prepare(bench: Bench) {
    const most = bench.effort.quick ? quickLarge : large
    return {
      'list, small': listAfterPosts(bench, await filled(bench, small)),
      'list, large': listAfterPosts(bench, await filled(bench, most)),
    }
  },
}

function filled(bench: Bench, threads: number): Promise<Filled> {
  return fill(bench, `storm_${threads}`, { threads, messagesEach: 10, people: 3 })
}

function listAfterPosts(bench: Bench, { service, store, worlds, readers, volume }: Filled): Contestant {
  const on = { servers: [service], store }
  const posts = httpContestant(bench, { ...on, nextCall: postsOver(worlds, volume) })
  const nextRead = listReads({ service, store, worlds, readers, volume })
  const before = async () => {
    const { errors, problems } = await posts.run()
    if (errors > 0) throw new Error(problems.join('\n'))
  }
  return httpContestant(bench, { ...on, before, nextCall: () => nextRead().ofService() })
}
