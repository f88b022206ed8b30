import { randomNumbers } from '../support/random-numbers.ts'

/** Random numbers that depend on the seed only. */
export type Random = {
  /** Returns a whole number from 0 to `limit` - 1. */
  below: (limit: number) => number
  pick: <T>(values: readonly [T, ...T[]]) => T
  /** Returns independent random numbers, for code that runs at the same time. */
  fork: () => Random
}

export function seededRandom(seed: number): Random {
  const numbers = randomNumbers(seed)
  const next = () => numbers() * 2 ** 32
  const below = (limit: number) => next() % limit
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    fork: () => seededRandom(next()),
  }
}
