import { describe, expect, onTestFailed, onTestFinished, test } from 'vitest'
import type { EventType } from '../../src/generated/resolver-types.ts'
import { violationsIn } from './checker/checker.ts'
import { databases, seconds, seed, timeoutMs } from './deployment/databases.ts'
import { seededRandom } from './random.ts'
import { type Progress, phase, recordHistory } from './record-history.ts'
import { acknowledged, distinctErrors, summaryOf } from './report.ts'

const shownViolations = 20
const kinds: EventType[] = [
  ...(['messageCreated', 'messageUpdated', 'messageDeleted', 'reactionAdded', 'reactionRemoved'] as const),
  ...(['threadCreated', 'threadUpdated', 'recipientsAdded', 'recipientsRemoved'] as const),
  ...(['membersAdded', 'membersRemoved'] as const),
]

describe.each(databases)('a history on the database “$name”', ({ name, isChosen, deploy }) => {
  test.runIf(isChosen)(
    `loses, repeats, reorders and leaks nothing, and keeps the highest versions, while processes are killed (FAULT_SEED=${seed})`,
    async () => {
      const random = seededRandom(seed)
      const deployment = await deploy(random)
      onTestFinished(deployment.remove)
      onTestFailed(() => void process.stdout.write(`${name} | waited for ${phase}\n`))
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
