import { Prisma } from '../../generated/prisma/client.ts'
import { databaseFailure } from '../database-errors.ts'
import type { BatchLimits } from './batcher.ts'

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

/**
 * Returns a join that limits the wait for a lock to 500 ms. After that, calls move to separate queues. The calls of a
 * split queue delay only each other. Therefore their limit does not change.
 */
export function withShortWaits<Call>(isSplitQueue: boolean | ((call: Call) => boolean)): Prisma.Sql {
  return Prisma.sql` CROSS JOIN (
    SELECT CASE WHEN NOT ${isSplitQueue}::boolean THEN set_config('lock_timeout', '500ms', true) END OFFSET 0
  ) AS short_waits`
}
