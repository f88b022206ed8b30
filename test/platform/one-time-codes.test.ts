import { afterEach, expect, test, vi } from 'vitest'
import { OneTimeCodes } from '../../src/platform/secrets/one-time-codes.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a code can be redeemed once', () => {
  const codes = new OneTimeCodes<string>(1000)
  const [first, second] = [codes.create('one'), codes.create('two')]
  expect(first).toMatch(/^[\w-]{43}$/)
  expect([codes.redeem(first), codes.redeem(second)]).toEqual(['one', 'two'])
  expect([codes.redeem(first), codes.redeem('unknown'), codes.redeem('')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a code expires', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const codes = new OneTimeCodes<string>(1000)
  const [early, late] = [codes.create('early'), codes.create('late')]
  vi.advanceTimersByTime(999)
  expect(codes.redeem(early)).toBe('early')
  vi.advanceTimersByTime(1)
  expect(codes.redeem(late)).toBeUndefined()
})

test('the oldest codes are invalid if there are more than a hundred', () => {
  const codes = new OneTimeCodes<number>(1000)
  const created = Array.from({ length: 101 }, (_, index) => codes.create(index))
  expect(codes.redeem(created[0] ?? '')).toBeUndefined()
  expect(codes.redeem(created[1] ?? '')).toBe(1)
})
