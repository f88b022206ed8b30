import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.ts'
import type { Target } from './target.ts'

/**
 * Between two faults, clients make at least this number of changes, and at most twice as many. They also send and edit a
 * message over GraphQL. On a slow machine, webhooks would otherwise have made all of the changes before that.
 */
const changesBetween = 60
const longestDeadMs = 800
const pollMs = 20

type Chaos = {
  targets: Target[]
  random: Random
  countChanges: () => number
  countEdits: () => number
  signal: AbortSignal
}

/** Repeatedly kills some targets and starts them again, until the signal aborts. At the end, all targets are alive. */
export async function killAtRandom(chaos: Chaos, kills: string[]): Promise<void> {
  const { signal } = chaos
  while (!signal.aborted) {
    await progress(chaos)
    if (signal.aborted) return
    await killSome(chaos, kills)
  }
}

/** Kills some targets, and starts them again. Adds the name of each target that it kills to `kills`. */
export async function killSome(chaos: Pick<Chaos, 'targets' | 'random'>, kills: string[]): Promise<void> {
  const victims = chosenFrom(chaos, kills)
  kills.push(...victims.map(({ name }) => name))
  await Promise.all(victims.map((target) => target.kill()))
  await sleep(chaos.random.below(longestDeadMs))
  await Promise.all(victims.map((target) => target.start()))
}

async function progress({ random, countChanges, countEdits, signal }: Chaos): Promise<void> {
  const enough = countChanges() + changesBetween + random.below(changesBetween)
  const edits = countEdits()
  while ((countChanges() < enough || countEdits() === edits) && !signal.aborted) await sleep(pollMs)
}

/** Chooses one of the targets that were killed least often, and sometimes also any other targets. */
function chosenFrom({ targets, random }: Pick<Chaos, 'targets' | 'random'>, kills: string[]): Target[] {
  const timesKilled = ({ name }: Target) => kills.filter((killed) => killed === name).length
  const least = Math.min(...targets.map(timesKilled))
  const spared = targets.filter((target) => timesKilled(target) === least)
  const first = spared[random.below(spared.length)]
  return targets.filter((target) => target === first || random.below(4) === 0)
}
