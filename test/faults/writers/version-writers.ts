import type { OrderedThread } from '../history.ts'
import type { Random } from '../random.ts'
import { type Desk, newText } from './desk.ts'

type Posted = { messageID: string; threadID: string; created: boolean; threadCreated: boolean }
type Call = { version: number; uniqueBy: string; text: string; state: string; threadClosed: boolean }

const maxVersions = 6
let keys = 0

/**
 * Two senders send the versions of one or two messages of a thread. Each sends all of them in an order of its own, and
 * some of them twice.
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
  const messages = 1 + random.below(2)
  const calls = Array.from({ length: 2 + random.below(maxVersions - 1) }, (_, index) => ({
    version: index + 1,
    uniqueBy: `message ${random.below(messages)}`,
    text: newText('fresh'),
    state: random.pick(['running', 'failed', 'ok']),
    threadClosed: random.below(2) === 0,
  }))
  ordered.push(thread)
  await Promise.all([send(desk, thread, calls, random.fork()), send(desk, thread, calls, random.fork())])
}

async function send(desk: Desk, thread: OrderedThread, calls: Call[], random: Random): Promise<void> {
  const repeated = calls.filter(() => random.below(4) === 0)
  for (const call of shuffled(random, [...calls, ...repeated])) await sendCall(desk, thread, call)
}

async function sendCall({ cast, client, recorder }: Desk, thread: OrderedThread, call: Call): Promise<void> {
  const { key, audience, calls } = thread
  const target = audience === 'insiders' ? cast.groups.insiders : cast.groups.everyone
  const body = { target, threadBy: key, threadSubject: 'Topic', ...call }
  const { value } = await recorder.untilAcknowledged(
    (url) => client.post<Posted>(`${url}${cast.webhook.path}`, body),
    ({ messageID, threadID, created, threadCreated }, isRepeated) => {
      const ofMessage = { audience, objectID: messageID, isOrdered: true }
      const opened = { type: 'threadCreated', audience, objectID: threadID, key } as const
      return [
        {
          ...ofMessage,
          type: created ? 'messageCreated' : 'messageUpdated',
          text: call.text,
          key: `${key} ${call.uniqueBy}`,
        },
        { ...ofMessage, type: 'threadUpdated' },
        // The answer that said so may have been lost.
        ...(threadCreated ? [opened] : isRepeated ? [{ ...opened, outcome: 'unknown' as const }] : []),
      ]
    },
  )
  const { messageID, threadID } = value
  const { version, text, state, threadClosed } = call
  calls.push({ version, messageID, threadID, text, state, closes: threadClosed })
}

function shuffled<T>(random: Random, values: T[]): T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(random.below(left.length), 1))
}
