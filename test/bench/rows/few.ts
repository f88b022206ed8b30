import { seedNamed } from '../amend.ts'
import type { Bench } from '../bench.ts'
import { each } from '../expectations.ts'
import { againstByHand, fill, listReads } from '../pages.ts'
import type { Stage } from '../rounds.ts'
import type { Volume } from '../seed.ts'
import type { World } from '../worlds.ts'

const oneIn = 1000

/** A caller who sees 100 of 100,000 threads. */
export const few: Stage = {
  rows: [
    {
      number: '9b',
      title: 'row 9 by a caller who sees 100 of 100,000 threads',
      subject: 'few',
      baselines: ['few by hand'],
      against: 'Fastify and one prepared statement, the same JSON',
      atMost: 2,
      expect: (row) => `The list takes ${each(row)} for a caller who sees few of many threads.`,
    },
  ],

  async prepare(bench: Bench) {
    const threads = bench.effort.quick ? 60_000 : 100_000
    const volume: Volume = { threads, messagesEach: 1, people: 3, group: 'privateGroupID' }
    const filled = await fill(bench, 'few', volume)
    const [world] = filled.worlds as [World]
    await seedNamed(filled.store, world, world.appUserID, oneIn)
    const list = await againstByHand(bench, filled, 'thread-list', listReads(filled, 'few'))
    return { few: list.ofService, 'few by hand': list.byHand }
  },
}
