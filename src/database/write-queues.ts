import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { databaseFailure } from '../platform/database-errors.ts'
import type { Bounds, LaneName } from '../platform/joining.ts'
import { boundsOf } from '../platform/until.ts'

const distributed = new WeakSet<object>()

/** Declares that tables are distributed by workspace. A statement then writes to one workspace only. */
export function keepWorkspacesApart(db: Database): void {
  distributed.add(db)
}

/** Returns the key of the queue for writes to a workspace: one for all, or one each on a distributed database. */
export function laneOf(db: Database, workspaceID: string): string {
  return distributed.has(boundsOf(db).shared) ? workspaceID : ''
}

/** Lets workspaces share statements. No call fails or waits because of one that is not `together` with it. */
export function sharedBatches<Call>(
  of: Required<Pick<Bounds<Call>, 'owner' | 'together'>>,
): Pick<Bounds<Call>, 'owner' | 'together' | 'apart'> {
  return {
    ...of,
    apart: (error) => {
      const failure = databaseFailure(error)
      if (failure === 'locked') return 'lanes'
      return failure === 'unavailable' || failure === 'out_of_space' ? undefined : 'halves'
    },
  }
}

/** One row for a FROM: the statement fails soon at a lock, and its calls are repeated in queues of their own. */
export const shortWaits = Prisma.sql`(SELECT set_config('lock_timeout', '500ms', true) OFFSET 0) AS short_waits`

/** Joins `shortWaits`, except in a queue of its own, for which no others wait. */
export function joinShortWaits({ isOwn }: Pick<LaneName, 'isOwn'>): Prisma.Sql {
  return isOwn ? Prisma.empty : Prisma.sql` CROSS JOIN ${shortWaits}`
}
