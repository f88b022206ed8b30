import { expect, test } from 'vitest'
import { isContinued } from '../../src/console/thread/messages/is-continued.ts'

const [ada, grace] = [{ id: 'usr_1' }, { id: 'usr_2' }]
const noon = new Date(2026, 2, 2, 12)
const sent = (seconds: number, more: object = {}) => ({
  createdAt: new Date(noon.getTime() + seconds * 1000).toISOString(),
  user: ada,
  senderName: null,
  origin: { kind: 'session', via: null },
  event: null,
  ...more,
})
const first = sent(0)

test('a message continues the one before it if the same author sent it less than 5 minutes later', () => {
  expect({
    atOnce: isContinued(sent(0), first),
    in299Seconds: isContinued(sent(299), first),
    in300Seconds: isContinued(sent(300), first),
    inAnHour: isContinued(sent(3600), first),
  }).toEqual({ atOnce: true, in299Seconds: true, in300Seconds: false, inAnHour: false })
})

test('the first message, and a message of another author, program or sender, continue no message', () => {
  expect({
    first: isContinued(first, undefined),
    ofAnother: isContinued(sent(1, { user: grace }), first),
    ofProgram: isContinued(sent(1, { origin: { kind: 'app', via: 'Deploy bot' } }), first),
    ofToken: isContinued(sent(1, { origin: { kind: 'token', via: null } }), first),
    ofSender: isContinued(sent(1, { senderName: 'Grafana' }), first),
  }).toEqual({ first: false, ofAnother: false, ofProgram: false, ofToken: false, ofSender: false })
})

test('a message of a program continues no message, also of the same program', () => {
  const origins = ['webhook', 'app', 'token'].map((kind) => ({ origin: { kind, via: 'Deploy bot' } }))
  expect(origins.map((origin) => isContinued(sent(1, origin), sent(0, origin)))).toEqual([
    false,
    false,
    false,
  ])
})

test('an event line continues no message, and no message continues it', () => {
  const line = sent(1, { event: { type: 'threadClosed' } })
  expect({ line: isContinued(line, first), after: isContinued(sent(2), line) }).toEqual({
    line: false,
    after: false,
  })
})

test('a message after midnight does not continue one before midnight', () => {
  const midnight = 12 * 3600
  expect({
    before: isContinued(sent(midnight - 1), sent(midnight - 60)),
    across: isContinued(sent(midnight), sent(midnight - 60)),
  }).toEqual({ before: true, across: false })
})
