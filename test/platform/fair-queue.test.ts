import { expect, test } from 'vitest'
import { FairQueue } from '../../src/platform/scheduling/fair-queue.ts'

/** Returns all waiting items in the order in which they are served. */
function drain(queue: FairQueue<string>): string {
  const served: string[] = []
  for (let item = queue.shift(); item; item = queue.shift()) served.push(item)
  return served.join(' ')
}

test('keys are served in turn, and the items of a key in their order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item)
  expect(drain(queue)).toBe('a1 b1 c1 a2 c2 a3')
})

test('a key with cheap items is served more often than a key with expensive items', () => {
  const queue = new FairQueue<string>()
  for (const item of ['dear1', 'dear2']) queue.push('dear', item, 4)
  for (const item of ['1', '2', '3', '4', '5', '6']) queue.push('cheap', item)
  expect(drain(queue)).toBe('dear1 1 2 3 4 dear2 5 6')
})

test('an expensive item delays the next item of its key, even if the next item is added later', () => {
  const queue = new FairQueue<string>()
  for (const item of ['1', '2', '3', '4']) queue.push('cheap', item)
  queue.push('dear', 'dear1', 3)
  expect([queue.shift(), queue.shift()]).toEqual(['1', 'dear1'])
  queue.push('dear', 'dear2', 3)
  expect(drain(queue)).toBe('2 3 4 dear2')
})

test('a key that cannot be served is skipped', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'b1']) queue.push(item.charAt(0), item)
  expect(queue.shift((key) => key !== 'a')).toBe('b1')
  expect(queue.shift((key) => key !== 'a')).toBeUndefined()
  expect(drain(queue)).toBe('a1')
})

test('a removed item is not served', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.charAt(0), item)
  queue.remove('a', 'a1')
  queue.remove('a', 'unknown')
  expect([queue.size(), queue.size('a')]).toEqual([2, 1])
  expect(drain(queue)).toBe('a2 b1')
})
