import { pick, post } from './calls.ts'
import type { Call } from './load.ts'
import { threadsOf, type Volume } from './seed.ts'
import type { World } from './worlds.ts'

/** Row 1's posts, to any thread of a volume that is dealt out to these workspaces. */
export function postsOver(worlds: World[], volume: Volume): () => Call {
  const targets = worlds.flatMap((world, index) =>
    threadsOf(volume, index, worlds.length).map((target) => ({ world, target })),
  )
  return () => {
    const { world, target } = pick(targets)
    return post(world, { target })
  }
}
