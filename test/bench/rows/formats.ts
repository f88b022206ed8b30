import { alertCall, alertsOf, bodyOf, firstCalls, messagesOf, plainCalls } from '../alert-calls.ts'
import type { Bench } from '../bench.ts'
import { nextText, pick } from '../calls.ts'
import { each, times } from '../expectations.ts'
import { type Call, processorMs, runLoad } from '../load.ts'
import { type Server, startService } from '../processes.ts'
import { type Contestant, httpContestant, type Row, type Stage } from '../rounds.ts'
import { createStore, type Store } from '../store.ts'
import { makeWorld, type World } from '../worlds.ts'

/** As many messages are in flight at each size. */
const sizes = [
  { alerts: 1, groups: 1000, connections: 64 },
  { alerts: 10, groups: 100, connections: 7 },
  { alerts: 100, groups: 20, connections: 1 },
]
const kinds = ['blocks', 'alerts']
const variants = 8
const prepareWithinSeconds = 600

type Size = (typeof sizes)[number]
type On = { bench: Bench; service: Server; store: Store; world: World }

/** The formats of other systems, compared with what they become, and with smaller bodies. */
export const formats: Stage = {
  rows: [
    ...sizes.map(
      ({ alerts }): Row => ({
        number: '25',
        title: `${alerts === 1 ? 'an alert' : `${alerts} alerts`} of Alertmanager in a call, which update their messages`,
        subject: `${alerts} alerts`,
        baselines: [`${alerts} alerts, plain`],
        against: 'each of the messages through the plain URL',
        ratio: (call, message) => processorMs(call) / (messagesOf(alerts) * processorMs(message)),
        atMost: 1.3,
        expect: (row) => `A call of Alertmanager with ${alerts} firing alerts takes ${each(row)}.`,
      }),
    ),
    ...kinds.map(
      (kind): Row => ({
        number: '26',
        title: `a body of 256 KiB with ${kind}`,
        subject: `256 KiB of ${kind}`,
        baselines: [`64 KiB of ${kind}`],
        against: 'the same with 64 KiB',
        atMost: 6,
        expect: (row) => `A body of 256 KiB with ${kind} takes ${times(row)} the processor time of 64 KiB.`,
      }),
    ),
  ],

  async prepare(bench: Bench) {
    const store = await createStore(bench, 'formats')
    const service = await startService(bench, { databaseURL: store.url })
    const on = { bench, service, store, world: await makeWorld(service.url) }
    const contestants = sizes.flatMap((size): [string, Contestant][] => [
      [`${size.alerts} alerts`, alertsContestant(on, size)],
      [`${size.alerts} alerts, plain`, plainContestant(on, size)],
    ])
    const ofSizes = [64, 256].flatMap((kibibytes): [string, Contestant][] => [
      [`${kibibytes} KiB of blocks`, blocksContestant(on, kibibytes)],
      [`${kibibytes} KiB of alerts`, manyAlertsContestant(on, kibibytes)],
    ])
    return Object.fromEntries([...contestants, ...ofSizes])
  },
}

/** Updates all messages of a group with each call. */
function alertsContestant({ bench, service, store, world }: On, size: Size): Contestant {
  const { alerts, groups, connections } = size
  const group = () => Math.floor(Math.random() * groups)
  const prepare = async () => {
    const calls = Array.from({ length: groups }, (_, number) => firstCalls(world, size, number)).flat()
    const load = { connections: 1, warmUpSeconds: 0, seconds: prepareWithinSeconds }
    const { errors, problems } = await runLoad({
      urls: [service.url],
      ...load,
      nextCall: () => calls.shift(),
    })
    if (errors > 0) throw new Error(problems.join('\n'))
  }
  const nextCall = () =>
    alertCall(world, JSON.stringify(bodyOf(size, group(), alertsOf(size, alerts))), messagesOf(alerts))
  return httpContestant(bench, { servers: [service], store, connections, prepare, nextCall })
}

/** Sends each message of the same calls by itself. */
function plainContestant({ bench, service, store, world }: On, size: Size): Contestant {
  const left = new Map<number, Call[]>()
  const nextCall = (connection: number) => {
    const own = left.get(connection) ?? []
    left.set(connection, own)
    if (own.length === 0) own.push(...plainCalls(world, size))
    return own.shift()
  }
  return httpContestant(bench, { servers: [service], store, nextCall })
}

/** Posts text that is longer than a message can be. */
function blocksContestant({ bench, service, store, world }: On, kibibytes: number): Contestant {
  const blocks: object[] = []
  for (let size = 0; size < kibibytes * 1024; size += JSON.stringify(blocks.at(-1)).length)
    blocks.push({ type: 'section', text: { type: 'mrkdwn', text: `*Step ${size}*: ${nextText()}` } })
  const call: Call = {
    method: 'POST',
    path: `${world.webhookPath}/slack?target=${world.groupID}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ blocks }),
    bytes: 'ok'.length,
    check: () => 'made',
  }
  return httpContestant(bench, { servers: [service], store, connections: 8, nextCall: () => call })
}

/** Updates the list of a group whose alerts have no messages of their own. */
function manyAlertsContestant({ bench, service, store, world }: On, kibibytes: number): Contestant {
  const size = { alerts: kibibytes, groups: 1, connections: 8 }
  const one = JSON.stringify(alertsOf(size, 1)).length
  const bodies = Array.from({ length: variants }, () =>
    JSON.stringify(bodyOf(size, 0, alertsOf(size, Math.round((kibibytes * 1024) / one)))),
  )
  const prepare = async () => {
    const calls = [alertCall(world, pick(bodies), 1)]
    const load = { connections: 1, warmUpSeconds: 0, seconds: prepareWithinSeconds }
    await runLoad({ urls: [service.url], ...load, nextCall: () => calls.shift() })
  }
  const nextCall = () => alertCall(world, pick(bodies), 1)
  return httpContestant(bench, { servers: [service], store, connections: 8, prepare, nextCall })
}
