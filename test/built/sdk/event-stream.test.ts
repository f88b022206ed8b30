import { describe, expect, test } from 'vitest'
import { messagesIn } from '../../../src/sdk/events/event-stream.ts'
import { all } from '../../support/sdk.ts'

const stream = [
  ':\n\n',
  'event: next\ndata: {"text":"Grüße 🎉"}\n\n',
  'event:next\r\ndata:one\r\ndata:  two\r\nid: 7\r\n\r\n',
  'data\rretry: 3\r\r',
  'event: ignored because it has no data\n\n',
  'event: complete\ndata:\n\n',
  'event: next\ndata: not complete\n',
].join('')

const expected = [
  { event: 'next', data: '{"text":"Grüße 🎉"}' },
  { event: 'next', data: 'one\n two' },
  { event: '', data: '' },
  { event: 'complete', data: '' },
]

async function* chunked(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('Server-Sent Events are parsed in chunks', () => {
  test.each([1, 2, 3, 5, 7, 64, 1000])('of %i bytes', async (size) => {
    expect(await all(messagesIn(chunked(new TextEncoder().encode(stream), size)))).toEqual(expected)
  })
})
