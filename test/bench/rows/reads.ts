import type { Bench } from '../bench.ts'
import { askForToken, expectMe, meQuery, query } from '../calls.ts'
import { perProcessor, share, times } from '../expectations.ts'
import type { Call } from '../load.ts'
import { againstByHand, fill, listReads, pageReads, pagesVolume } from '../pages.ts'
import { startBaseline, startService } from '../processes.ts'
import { httpContestant, type Stage } from '../rounds.ts'
import type { World } from '../worlds.ts'

/** Tokens and reads: one workspace with 1,000 threads of 60 messages by 20 authors. */
export const reads: Stage = {
  rows: [
    {
      number: '6',
      title: 'token request',
      subject: 'token',
      baselines: ['form echo'],
      against: 'bare Fastify form echo',
      atMost: 4.5,
      expect: (row) => `One processor issues about ${perProcessor(row)} tokens a second.`,
    },
    {
      number: '7',
      title: 'GraphQL `me`',
      subject: 'me',
      baselines: ['bare me'],
      against: 'bare Mercurius with JIT, no token',
      atMost: 3,
      expect: (row) => `An app that sends 100 small queries a second uses ${share(row, 100)}.`,
    },
    {
      number: '7b',
      title: 'row 7 with the default of 8 operations at once, all by one caller',
      subject: 'me by default',
      baselines: ['me'],
      against: 'row 7, where 1,000 can run at once',
      atMost: 1.2,
      expect: (row) =>
        `With the default limits, a query takes ${times(row)} the processor time, also if its caller sends 64 at once.`,
    },
    {
      number: '8',
      title: 'GraphQL thread, 50 messages with authors and attachments',
      subject: 'page',
      baselines: ['page by hand'],
      against: 'Fastify and two prepared statements, the same JSON',
      atMost: 1.7,
      expect: (row) => `A thousand people who each open a thread every ten seconds use ${share(row, 100)}.`,
    },
    {
      number: '9',
      title: 'GraphQL 50 threads by last message, with recipients and last message',
      subject: 'list',
      baselines: ['list by hand'],
      against: 'Fastify and one prepared statement, the same JSON',
      atMost: 2,
      expect: (row) =>
        `A thousand people who each open their list of threads every 20 seconds use ${share(row, 50)}.`,
    },
  ],

  async prepare(bench: Bench) {
    const filled = await fill(bench, 'reads', pagesVolume(bench))
    const { service, store, worlds } = filled
    const [world] = worlds as [World]
    const page = await againstByHand(bench, filled, 'thread-page', pageReads(filled))
    const list = await againstByHand(bench, filled, 'thread-list', listReads(filled))
    const formEcho = await startBaseline(bench, 'form-echo')
    const bareMe = await startBaseline(bench, 'mercurius', { USER_ID: world.appUserID })
    const env = { GRAPHQL_OPERATIONS_AT_ONCE: '8' }
    const byDefault = await startService(bench, { databaseURL: store.url, env })
    const me = query(world, meQuery, {}, expectMe(world))
    const token = askForToken(world)
    const echoed = formEchoCall(token)
    return {
      token: httpContestant(bench, {
        servers: [service],
        store,
        counted: 'access_tokens',
        nextCall: () => token,
      }),
      'form echo': httpContestant(bench, { servers: [formEcho], nextCall: () => echoed }),
      me: httpContestant(bench, { servers: [service], store, nextCall: () => me }),
      'me by default': httpContestant(bench, { servers: [byDefault], store, nextCall: () => me }),
      'bare me': httpContestant(bench, { servers: [bareMe], nextCall: () => me }),
      page: page.ofService,
      'page by hand': page.byHand,
      list: list.ofService,
      'list by hand': list.byHand,
    }
  },
}

function formEchoCall(token: Call): Call {
  const form = Object.fromEntries(new URLSearchParams(String(token.body)))
  const check = (answer: unknown) => {
    if ((answer as typeof form).client_id !== form.client_id) throw new Error('The echo is different')
    return 'answered' as const
  }
  return { ...token, check }
}
