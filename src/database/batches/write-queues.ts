import { Prisma } from '../../generated/prisma/client.ts'
import { beforeResponse, gauge, histograms } from '../../platform/metrics.ts'
import { databaseFailure } from '../database-errors.ts'
import type { BatchLimits, BatchMeter } from './batcher.ts'

const sizeOf = histograms('skein_write_batch_size', 'The calls that were written by one statement.', {
  labelNames: ['kind'],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 200],
})
const inQueue = gauge('skein_write_queue', 'The calls that wait for a batch.', ['kind'])

function meterOf(kind: string): BatchMeter {
  const sizes = sizeOf({ kind })
  let waiting = 0
  beforeResponse(() => inQueue.set({ kind }, waiting))
  return {
    queued: (change) => {
      waiting += change
    },
    started: (calls) => sizes.observe(calls),
  }
}

/**
 * Lets workspaces share statements. A call never fails or waits for long because of a call with another `splitKey`.
 * `kind` names the queue in the metrics.
 */
export function sharedBatches<Call>(
  kind: string,
  of: Required<Pick<BatchLimits<Call>, 'owner' | 'splitKey'>>,
): Pick<BatchLimits<Call>, 'owner' | 'splitKey' | 'splitOnError' | 'meter'> {
  return {
    ...of,
    meter: meterOf(kind),
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
