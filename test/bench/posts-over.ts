import { pick, post } from './calls.ts'
import type { Call } from './load.ts'
import { threadsOf, type Volume } from './seed.ts'
import type { World } from './worlds.ts'

/** Returns a function that creates the posts of row 1, to random threads of these worlds. */
export function postsOver(worlds: World[], volume: Volume): () => Call {
  const targets = worlds.flatMap((world, index) =>
    threadsOf(volume, index, worlds.length).map((target) => ({ world, target })),
  )
  return () => {
    const { world, target } = pick(targets)
    return post(world, { target })
  }
}
