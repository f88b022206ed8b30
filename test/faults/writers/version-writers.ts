import type { OrderedThread } from '../history.ts'
import type { Random } from '../random.ts'
import { type Desk, newText } from './desk.ts'

type Posted = { messageID: string; threadID: string; created: boolean; threadCreated: boolean }
type Call = {
  uniqueBy: string
  text: string
  version?: number
  state?: string
  threadState?: string | undefined
  threadClosed?: boolean | 'keep' | undefined
}

const maxVersions = 6
let keys = 0

/**
 * Two senders send the calls for a thread. Each sends all of them in an order of its own, and some of them twice. Then a
 * delayed call arrives. Its threadClosed must not change what newer calls decided. Without one, its message reopens the
 * thread.
 */
export async function postVersions(desk: Desk): Promise<void> {
  const { cast, random, ordered } = desk
  keys += 1
  const audience = random.pick<'everyone' | 'insiders'>(['everyone', 'insiders'])
  const thread: OrderedThread = {
    key: `versions ${keys}`,
    workspaceID: cast.workspaceID,
    audience,
    calls: [],
  }
  const calls = newCalls(random)
  ordered.push(thread)
  await Promise.all([send(desk, thread, calls, random.fork()), send(desk, thread, calls, random.fork())])
  const threadClosed = random.pick([true, false, undefined, undefined])
  await sendCall(desk, thread, { uniqueBy: 'delayed', text: newText('fresh'), version: 0, threadClosed })
}

/** Returns the versions of some messages, and sometimes a message without a version. */
function newCalls(random: Random): Call[] {
  const messages = 1 + random.below(3)
  const versions = Array.from({ length: 2 + random.below(maxVersions - 1) }, (_, index) => ({
    uniqueBy: `message ${random.below(messages)}`,
    text: newText('fresh'),
    version: index + 1,
    state: random.pick(['running', 'failed', 'ok']),
    threadState: random.pick([undefined, undefined, 'failed', 'ok']),
    threadClosed: random.pick<Call['threadClosed']>([true, false, 'keep', undefined]),
  }))
  return random.below(2) === 0 ? versions : [...versions, { uniqueBy: 'comment', text: newText('fresh') }]
}

async function send(desk: Desk, thread: OrderedThread, calls: Call[], random: Random): Promise<void> {
  const repeated = calls.filter(() => random.below(4) === 0)
  for (const call of shuffled(random, [...calls, ...repeated])) await sendCall(desk, thread, call)
}

async function sendCall({ cast, client, recorder }: Desk, thread: OrderedThread, call: Call): Promise<void> {
  const { key, audience, calls } = thread
  const target = audience === 'insiders' ? cast.groups.insiders : cast.groups.everyone
  const body = { target, threadBy: key, threadSubject: 'Topic', ...call }
  const startedAt = performance.now()
  const { value, isRepeated } = await recorder.untilAcknowledged(
    (url) => client.post<Posted>(`${url}${cast.webhook.path}`, body),
    ({ messageID, threadID, created, threadCreated }, isRepeated) => {
      const ofMessage = { audience, objectID: messageID, isOrdered: true }
      const opened = { type: 'threadCreated', audience, objectID: threadID, key } as const
      const changed = { ...ofMessage, type: 'threadUpdated' } as const
      return [
        {
          ...ofMessage,
          type: created ? 'messageCreated' : 'messageUpdated',
          text: call.text,
          key: `${key} ${call.uniqueBy}`,
        },
        changed,
        // An attempt without an answer may have changed the thread too.
        ...(isRepeated ? [{ ...changed, outcome: 'unknown' as const }] : []),
        // The answer that said so may have been lost.
        ...(threadCreated ? [opened] : isRepeated ? [{ ...opened, outcome: 'unknown' as const }] : []),
      ]
    },
  )
  const { messageID, threadID } = value
  const { uniqueBy: _uniqueBy, version = 0, state = null, ...said } = call
  const made = { startedAt, endedAt: performance.now(), isRepeated }
  calls.push({ ...said, version, state, messageID, threadID, ...made })
}

function shuffled<T>(random: Random, values: T[]): T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(random.below(left.length), 1))
}
