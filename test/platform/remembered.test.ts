import { expect, test } from 'vitest'
import { Remembered } from '../../src/platform/remembered.ts'

test('the least recently used value is evicted', () => {
  const facts = new Remembered<number>(2)
  facts.set('a', 1)
  facts.set('b', 2)
  facts.get('a')
  facts.set('c', 3)
  expect([facts.get('a'), facts.get('b'), facts.get('c')]).toEqual([1, undefined, 3])
})

test('setting an existing key evicts no other value', () => {
  const facts = new Remembered<number>(2)
  for (const key of ['a', 'b', 'b']) facts.set(key, 1)
  expect([facts.get('a'), facts.get('b')]).toEqual([1, 1])
})
