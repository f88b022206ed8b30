import { describe, expect, onTestFinished, test } from 'vitest'
import type { EventType } from '../../src/generated/resolver-types.ts'
import { violationsIn } from './checker/checker.ts'
import { hasServer } from './deployment/database-server.ts'
import { type Deployment, deployEmbedded, deployOnServer } from './deployment/deployment.ts'
import { type Random, seededRandom } from './random.ts'
import { type Progress, recordHistory } from './record-history.ts'
import { acknowledged, distinctErrors, summaryOf } from './report.ts'

const seconds = Number(process.env.FAULT_SECONDS ?? 4)
const seed = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000)
const chosen = process.env.FAULT_DATABASE
/** On a slow machine, the clients need a long time for the changes that they must make between two faults. */
const timeoutMs = 10 * seconds * 1000 + 240_000
const shownViolations = 20
const kinds: EventType[] = [
  ...(['messageCreated', 'messageUpdated', 'messageDeleted', 'reactionAdded', 'reactionRemoved'] as const),
  ...(['threadCreated', 'threadUpdated', 'recipientsAdded', 'recipientsRemoved'] as const),
  ...(['membersAdded', 'membersRemoved'] as const),
]

const databases: { name: string; isAvailable: boolean; deploy: (random: Random) => Promise<Deployment> }[] = [
  { name: 'embedded', isAvailable: true, deploy: deployEmbedded },
  { name: 'server', isAvailable: hasServer, deploy: deployOnServer },
]

describe.each(databases)('a history on the database “$name”', ({ name, isAvailable, deploy }) => {
  test.runIf(isAvailable && (chosen ?? name) === name)(
    `loses, repeats, reorders and leaks nothing, and keeps the highest versions, while processes are killed (FAULT_SEED=${seed})`,
    async () => {
      const random = seededRandom(seed)
      const deployment = await deploy(random)
      onTestFinished(deployment.remove)
      const targets = deployment.targets.map((target) => target.name)
      const { history, kills } = await recordHistory(deployment, random, until(targets))
      const violations = violationsIn(history)
      process.stdout.write(`${name} | ${summaryOf(history, kills)} | violations ${violations.length}\n`)
      const found = { violations: violations.slice(0, shownViolations), crashed: deployment.crashed() }
      expect(found, distinctErrors(deployment.output())).toEqual({ violations: [], crashed: [] })
    },
    timeoutMs,
  )
})

/** A history is long enough if the time is over, each target was killed, and each kind of change was acknowledged. */
function until(targets: string[]): (progress: Progress) => boolean {
  let endsAt = 0
  return ({ changes, kills }) => {
    endsAt ||= performance.now() + 1000 * seconds
    const made = new Set(acknowledged(changes).map(({ type }) => type))
    const isWhole = targets.every((name) => kills.includes(name)) && kinds.every((type) => made.has(type))
    return isWhole && performance.now() > endsAt
  }
}
