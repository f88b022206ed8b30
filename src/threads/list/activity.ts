import type { Context, UserActor } from '../../context.ts'
import { Prisma } from '../../generated/prisma/client.ts'

/** Threads with activity after a time. */
// The condition on the time implies the condition on the period, but the index contains only the period.
export function active({ actor: { workspaceID } }: Context<UserActor>, after: Date) {
  const isActive = Prisma.sql`last_activity_at > CAST(${after.toISOString()} AS timestamptz(3))
    AND activity_period >= ${activityPeriodOf(after)}::bigint`
  return {
    where: Prisma.sql`t.last_activity_at > CAST(${after.toISOString()} AS timestamptz(3))`,
    among: {
      name: `active after ${after.toISOString()}`,
      ids: Prisma.sql`SELECT id FROM threads WHERE workspace_id = ${workspaceID} AND ${isActive}`,
    },
  }
}

const periodMs = 1000

/** Returns the value of the generated column `threads.activity_period` for a time. */
export function activityPeriodOf(time: Date): number {
  return Math.floor(time.getTime() / periodMs)
}
