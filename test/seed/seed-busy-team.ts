import type { Context } from '../../src/context.ts'
import { sequenceEvents } from '../../src/events/sequence-events.ts'
import { muteGroup } from '../../src/groups/members/mute-group.ts'
import { markAllRead } from '../../src/messages/reads/mark-all-read.ts'
import { indexMessages } from '../../src/messages/search/indexing/index-messages.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { buildTeam, busyDomain, contextOf, idOf, type Team } from './build-team.ts'
import type { Plan, Size } from './plan.ts'
import { planTeam } from './plan-team.ts'
import { type Sent, sendPosts } from './send-posts.ts'
import { databaseTime, spreadTimes } from './spread-times.ts'

/** Everybody has read what was posted before this part of the plan. */
export const caughtUpAt = 0.9
const days = 24 * 60

export const newHire = { name: 'Nora New', email: `nora@${busyDomain}` }

export type BusyTeam = { team: Team; plan: Plan; sent: Sent; newHireID: string }

/**
 * Creates the busy team by the verbs of the service, and then moves the times of what they wrote: 19 days that everybody
 * has read, two days that people have read where they wrote, and a new hire who was created now.
 */
export async function seedBusyTeam(operator: Context, size: Size): Promise<BusyTeam> {
  const plan = planTeam(size)
  const { db } = operator
  const began = await databaseTime(db)
  const team = await buildTeam(operator, size, plan)
  const { workspaceID } = team
  const sent: Sent = { threadIDs: new Map(), messageIDs: new Map() }
  const sending = { operator, team, plan, sent }
  const early = plan.posts.filter(({ at }) => at < caughtUpAt)
  await sendPosts(sending, early, { atOnce: 400 })
  await sequenceEvents(db)
  await spreadTimes(db, { workspaceID, since: began, from: 19 * days, to: 5 })
  for (const person of team.people.keys()) await markAllRead(contextOf(operator, team, person), {})
  await muteGroup(contextOf(operator, team, mutingPerson(plan)), { groupID: idOf(team.groups, 0) }, true)
  const resumed = await databaseTime(db)
  // Fewer are sent at once, because these times are looked at.
  const late = plan.posts.slice(early.length)
  await sendPosts(sending, late, { atOnce: 32, marksRead: true })
  await sequenceEvents(db)
  await spreadTimes(db, { workspaceID, since: resumed, from: 2 * days, to: 3 })
  const { id: newHireID } = await createPerson(operator, { workspaceID, ...newHire })
  await sequenceEvents(db)
  while ((await indexMessages(db, { workspaceID, schemes: operator.config.mentionSchemes })).hasMore) {}
  return { team, plan, sent, newHireID }
}

/** The person who has muted the loudest group. */
export function mutingPerson({ members: [loudest = []] }: Plan): number {
  return Math.max(...loudest)
}
