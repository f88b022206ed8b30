/** Random numbers that depend on the seed only. */
export type Random = {
  /** Returns a whole number from 0 to `limit` - 1. */
  below: (limit: number) => number
  pick: <T>(values: readonly [T, ...T[]]) => T
  /** Returns independent random numbers, for code that runs at the same time. */
  fork: () => Random
}

/** The algorithm is mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number) => next() % limit
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    fork: () => seededRandom(next()),
  }
}
