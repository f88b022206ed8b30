import { afterEach, expect, test, vi } from 'vitest'
import { OneTimeCodes } from '../../src/platform/one-time-codes.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a code stands for its value once', () => {
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

test('a code ends with its time', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const codes = new OneTimeCodes<string>(1000)
  const [early, late] = [codes.create('early'), codes.create('late')]
  vi.advanceTimersByTime(999)
  expect(codes.redeem(early)).toBe('early')
  vi.advanceTimersByTime(1)
  expect(codes.redeem(late)).toBeUndefined()
})

test('of more than a hundred codes the oldest end', () => {
  const codes = new OneTimeCodes<number>(1000)
  const created = Array.from({ length: 101 }, (_, index) => codes.create(index))
  expect(codes.redeem(created[0] ?? '')).toBeUndefined()
  expect(codes.redeem(created[1] ?? '')).toBe(1)
})
