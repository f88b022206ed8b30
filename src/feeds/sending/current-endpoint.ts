import { type PrefixedRow, prefixRemover } from '../../database/rows.ts'
import { type EventEndpoint, Prisma } from '../../generated/prisma/client.ts'
import { prefixedEndpointColumns } from '../endpoints/rows.ts'
import { givingUpMs } from './retry-schedule.ts'

/**
 * An endpoint is paused if it has failed for `givingUpMs` minus this time. The last attempt of a delivery is
 * `givingUpMs` after its start. The first delivery that fails starts slightly before `failingSince`. Without the
 * tolerance, the last attempt of this delivery would be too early to pause the endpoint.
 */
const toleranceMs = 5 * 60_000

/** What the times of an endpoint mean now, by the clock of the database. */
type Judgement = { isPreviousSecretValid: boolean; hasFailedTooLong: boolean }

export type CurrentEndpoint = EventEndpoint & Judgement
export type CurrentEndpointRow = PrefixedRow<EventEndpoint, 'endpoint'> & Judgement

/** The columns of an endpoint `e` that `currentEndpointIn` reads. */
export const currentEndpointColumns = Prisma.sql`${prefixedEndpointColumns},
  coalesce(e.previous_secret_ends_at > now(), FALSE) AS "isPreviousSecretValid",
  coalesce(e.failing_since <= now() - ${givingUpMs - toleranceMs}::float8 * interval '1 millisecond', FALSE)
    AS "hasFailedTooLong"`

const endpointIn = prefixRemover<EventEndpoint>('EventEndpoint', 'endpoint')

export function currentEndpointIn(row: CurrentEndpointRow): CurrentEndpoint {
  const { isPreviousSecretValid, hasFailedTooLong } = row
  return { ...endpointIn(row), isPreviousSecretValid, hasFailedTooLong }
}
