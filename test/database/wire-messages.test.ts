import { expect, test } from 'vitest'
import { wholeMessages, wireMessage } from '../../src/database/embedded/wire-messages.ts'

const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
const query = wireMessage('Q', 'SELECT 1')
const sync = wireMessage('S')
const terminate = Buffer.from([0x58, 0, 0, 0, 4])

test('messages are encoded as in the PostgreSQL protocol', () => {
  expect(query.toString('latin1')).toBe('Q\0\0\0\x0dSELECT 1\0')
  expect(sync.toString('latin1')).toBe('S\0\0\0\x04')
})

test.each([1, 2, 3, 4, 7, 100])('pieces of %i bytes return each complete message once, in order', (size) => {
  const bytes = Buffer.concat([startup, query, sync, query])
  const complete = wholeMessages()
  const given: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    given.push(Buffer.from(complete(bytes.subarray(at, at + size))))
  }
  expect(Buffer.concat(given)).toEqual(bytes)
  const ends = [startup, query, sync, query].map((_, i, all) => Buffer.concat(all.slice(0, i + 1)).length)
  const givenEnds = given.map((_, i) => Buffer.concat(given.slice(0, i + 1)).length)
  expect(givenEnds.filter((end) => end > 0 && !ends.includes(end))).toEqual([])
})

test('Terminate and all messages after it are dropped', () => {
  const complete = wholeMessages()
  expect(complete(startup)).toEqual(startup)
  expect(complete(Buffer.concat([sync, terminate]))).toEqual(sync)
  expect(complete(query)).toHaveLength(0)
})
