import { Prisma } from '../../generated/prisma/client.ts'
import { databaseFailure } from '../database-errors.ts'
import type { BatchLimits, QueueKey } from './batcher.ts'

/** Lets workspaces share statements. A call never fails or waits for long because of a call with another `splitKey`. */
export function sharedBatches<Call>(
  of: Required<Pick<BatchLimits<Call>, 'owner' | 'splitKey'>>,
): Pick<BatchLimits<Call>, 'owner' | 'splitKey' | 'splitOnError'> {
  return {
    ...of,
    splitOnError: (error) => {
      const failure = databaseFailure(error)
      if (failure === 'locked') return 'queues'
      return failure === 'unavailable' || failure === 'out_of_space' ? undefined : 'halves'
    },
  }
}

/** An item of a FROM clause that limits the wait for a lock to 500 ms. After that, calls move to separate queues. */
export const shortWaits = Prisma.sql`(SELECT set_config('lock_timeout', '500ms', true) OFFSET 0) AS short_waits`

/** Returns a join with `shortWaits`. Returns nothing for a split queue, because its calls delay only each other. */
export function withShortWaits({ isSplitQueue }: Pick<QueueKey, 'isSplitQueue'>): Prisma.Sql {
  return isSplitQueue ? Prisma.empty : Prisma.sql` CROSS JOIN ${shortWaits}`
}
