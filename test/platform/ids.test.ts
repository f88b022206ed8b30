import KSUID from 'ksuid'
import { expect, test } from 'vitest'
import { newID, prefixOf } from '../../src/platform/ids.ts'

test('an ID is a prefix and a KSUID with the current time', () => {
  const before = Date.now()
  for (let count = 0; count < 1000; count += 1) {
    const [prefix, text = ''] = newID('msg').split('_')
    const ksuid = KSUID.parse(text)
    expect(prefix).toBe('msg')
    expect(ksuid.string).toBe(text)
    expect(Math.abs(ksuid.date.getTime() - before)).toBeLessThan(60_000)
  }
})

test('IDs are unique and in the order of creation, and every random byte takes all values', () => {
  const ids = Array.from({ length: 5000 }, () => newID('usr'))
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual(ids)
  const payloads = ids.map((id) => KSUID.parse(id.slice(4)).payload)
  for (let byte = 4; byte < 16; byte += 1) {
    expect(new Set(payloads.map((payload) => payload[byte])).size).toBe(256)
  }
})

test('a text that cannot be an ID has no prefix', () => {
  expect(prefixOf(newID('thr'))).toBe('thr')
  for (const text of [
    '',
    'thr',
    'thr_',
    `xxx_${'0'.repeat(27)}`,
    `thr_${'0'.repeat(26)}`,
    `thr_${'-'.repeat(27)}`,
  ]) {
    expect(prefixOf(text)).toBeUndefined()
  }
})
