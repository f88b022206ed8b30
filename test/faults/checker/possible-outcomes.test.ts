import { expect, test } from 'vitest'
import type { OrderedCall } from '../history.ts'
import { possibleOutcomes } from './possible-outcomes.ts'

const one = { messageID: 'msg_1', state: 'ok' }
const other = { messageID: 'msg_2', state: 'ok' }
const closing = { ...one, version: 7, threadClosed: true }

/** Returns calls of one thread. Each call begins after the one before it has ended. */
function inTurn(calls: Partial<OrderedCall>[]): OrderedCall[] {
  return calls.map((call, place) => ({
    ...{ ...one, version: 1, threadID: 'thr_1', text: 'fresh', isRepeated: false },
    ...{ startedAt: 10 * place, endedAt: 10 * place + 5 },
    ...call,
  }))
}

test.each<[string, Partial<OrderedCall>[], string]>([
  ['closed by a call', [closing], 'ok and closed'],
  [
    'closed if an older call for another message would reopen it',
    [closing, { ...other, version: 6, threadClosed: false }],
    'ok and closed',
  ],
  ['reopened by a newer call', [closing, { ...other, version: 8, threadClosed: false }], 'ok and open'],
  ['reopened by a new message, whatever its version', [closing, { ...other, version: 1 }], 'ok and open'],
  [
    'closed again by the same call after a new message',
    [closing, { ...other, version: 1 }, closing],
    'ok and closed',
  ],
  ['closed if a new message keeps it', [closing, { ...other, threadClosed: 'keep' }], 'ok and closed'],
  [
    'reopened by a state that becomes failed',
    [closing, { ...one, version: 8, state: 'failed' }],
    'failed and open',
  ],
  ['closed after an update with the same state', [closing, { ...one, version: 8 }], 'ok and closed'],
  [
    'as before after a stale call',
    [closing, { version: 6, state: 'failed', threadClosed: false }],
    'ok and closed',
  ],
  ['in the state that the last change names', [one, { ...other, state: 'running' }, one], 'running and open'],
  ['in its threadState', [{ ...one, threadState: 'failed' }], 'failed and open'],
  ['in its state after a message without one', [one, { ...other, state: null }], 'ok and open'],
])('a thread is %s', (_case, calls, outcome) => {
  expect(possibleOutcomes(inTurn(calls))).toEqual([outcome])
})

test('two calls at the same time can be applied in either order', () => {
  const calls = inTurn([closing, { ...other, version: 1, startedAt: 3, endedAt: 8 }])
  expect(possibleOutcomes(calls).sort()).toEqual(['ok and closed', 'ok and open'])
})

test('a repeated call can be applied again after another', () => {
  const calls = inTurn([
    { ...closing, isRepeated: true, endedAt: 15 },
    { ...other, version: 1, startedAt: 6, endedAt: 8 },
    { ...one, version: 7, messageID: 'msg_3', state: 'failed', threadClosed: 'keep' },
  ])
  expect(possibleOutcomes(calls).sort()).toEqual(['failed and closed', 'failed and open'])
})
