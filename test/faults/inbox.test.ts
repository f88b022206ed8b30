import { describe, expect, onTestFinished, test } from 'vitest'
import { databases, seconds, seed, timeoutMs } from './deployment/databases.ts'
import { type Lived, liveInbox } from './inbox/live-inbox.ts'
import { seededRandom } from './random.ts'
import { distinctErrors } from './report.ts'

const kinds = [
  ...['say', 'mention', 'post', 'edit', 'delete', 'close', 'start'],
  ...['joinGroup', 'leaveGroup', 'muteGroup', 'unmuteGroup'],
  ...['followThread', 'unfollowThread', 'muteThread', 'unmuteThread'],
  ...['markRead', 'markUnread', 'markAllRead', 'undoMarkAllRead'],
]

describe.each(databases)('the inboxes of people on the database “$name”', ({ name, isChosen, deploy }) => {
  test.runIf(isChosen)(
    `count what a slow reference counts at every quiet point, while processes are killed (FAULT_SEED=${seed})`,
    async () => {
      const random = seededRandom(seed)
      const deployment = await deploy(random)
      onTestFinished(deployment.remove)
      const targets = deployment.targets.filter((target) => target !== deployment.receiver)
      const { mismatches, surprises, kills, quietPoints } = await liveInbox(
        deployment,
        random,
        until(targets.map((target) => target.name)),
      )
      process.stdout.write(`${name} | quiet points of inboxes ${quietPoints} | kills ${kills.length}\n`)
      const [first] = mismatches
      expect(first?.told, `${first?.person}\n${first?.log.join('\n')}`).toEqual(first?.expected)
      const found = { surprises, crashed: deployment.crashed() }
      expect(found, distinctErrors(deployment.output())).toEqual({ surprises: [], crashed: [] })
    },
    timeoutMs,
  )
})

/** A history is long enough if the time is over, each target was killed, and each kind of change was made. */
function until(targets: string[]): (lived: Lived) => boolean {
  let endsAt = 0
  return ({ kinds: made, kills }) => {
    endsAt ||= performance.now() + 1000 * seconds
    const isWhole = targets.every((name) => kills.includes(name)) && kinds.every((kind) => made.has(kind))
    return isWhole && performance.now() > endsAt
  }
}
