import { Prisma } from '../../generated/prisma/client.ts'
import { boundsOf } from '../../platform/until.ts'
import type { Database } from '../database.ts'
import { databaseFailure } from '../database-errors.ts'
import type { Bounds, QueueKey } from './batcher.ts'

const distributed = new WeakSet<object>()

/** Declares that tables are distributed by workspace. A statement then writes to one workspace only. */
export function separateWorkspaces(db: Database): void {
  distributed.add(db)
}

/** Returns the key of the queue for writes to a workspace: one for all, or one each on a distributed database. */
export function queueOf(db: Database, workspaceID: string): string {
  return distributed.has(boundsOf(db).shared) ? workspaceID : ''
}

/** Lets workspaces share statements. No call fails or waits because of a call with another `splitKey`. */
export function sharedBatches<Call>(
  of: Required<Pick<Bounds<Call>, 'owner' | 'splitKey'>>,
): Pick<Bounds<Call>, 'owner' | 'splitKey' | 'splitOnError'> {
  return {
    ...of,
    splitOnError: (error) => {
      const failure = databaseFailure(error)
      if (failure === 'locked') return 'queues'
      return failure === 'unavailable' || failure === 'out_of_space' ? undefined : 'halves'
    },
  }
}

/** One row for a FROM: the statement fails soon at a lock, and its calls are repeated in queues of their own. */
export const shortWaits = Prisma.sql`(SELECT set_config('lock_timeout', '500ms', true) OFFSET 0) AS short_waits`

/** Joins `shortWaits`, except in a queue of its own, because no other calls wait for that queue. */
export function withShortWaits({ isOwn }: Pick<QueueKey, 'isOwn'>): Prisma.Sql {
  return isOwn ? Prisma.empty : Prisma.sql` CROSS JOIN ${shortWaits}`
}
