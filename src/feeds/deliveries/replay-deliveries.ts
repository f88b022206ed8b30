import { z } from 'zod'
import { audited, record } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type EventDelivery, Prisma } from '../../generated/prisma/client.ts'
import { id, parseInput, time } from '../../input.ts'
import { databaseTime } from '../database-time.ts'
import { accessEndpoint, entryOf } from '../endpoints/access.ts'
import { type DeliveryInput, deliveryToChange } from './list-deliveries.ts'

const deliveriesPerStep = 1000

const manyInput = z
  .object({ endpointID: id, failed: z.boolean().nullish(), since: time.nullish(), until: time.nullish() })
  .refine(({ failed, since }) => failed || since != null, {
    path: ['since'],
    error: 'must be given, unless failed is true',
  })

/** Sends an event again. A delivery that is pending is attempted now. */
export async function replayDelivery(ctx: Context, input: DeliveryInput): Promise<EventDelivery> {
  const { workspaceID, id, endpointID } = await deliveryToChange(ctx, input)
  const chosen = Prisma.sql`
    SELECT workspace_id, id, key, created_at FROM event_deliveries
    WHERE workspace_id = ${workspaceID} AND id = ${id}`
  await audited(
    ctx,
    ({ db }) => replay(db, { workspaceID, endpointID }, chosen),
    () => entryOf('replayDelivery', { workspaceID, id: endpointID }, { deliveryID: id }),
  )
  return ctx.db.eventDelivery.findUniqueOrThrow({ where: { workspaceID_id: { workspaceID, id } } })
}

/** Sends events again, in steps. Returns their number. Leaves out deliveries that are pending. */
export async function replayDeliveries(ctx: Context, input: z.input<typeof manyInput>): Promise<number> {
  const { endpointID, failed, since, until } = parseInput(manyInput, input)
  const { workspaceID } = await accessEndpoint(ctx, endpointID, 'write')
  const status = failed ? Prisma.sql`status = 'failed'` : Prisma.sql`status <> 'pending'`
  const before = (until ?? (await presentOf(ctx.db))).toISOString()
  // Each step is committed by itself. Therefore the entry comes before the first one.
  const details = { failed: failed ?? false, since: since?.toISOString() ?? null, until: before }
  await record(ctx, entryOf('replayDeliveries', { workspaceID, id: endpointID }, details))
  let [count, last] = [0, { createdAt: since ?? new Date(0), id: '' }]
  for (;;) {
    const chosen = await replay(
      ctx.db,
      { workspaceID, endpointID },
      Prisma.sql`
      SELECT workspace_id, id, key, created_at FROM event_deliveries
      WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND ${status}
        AND (created_at, id) > (${last.createdAt.toISOString()}::timestamptz, ${last.id})
        AND created_at < ${before}::timestamptz
      ORDER BY created_at, id LIMIT ${Prisma.raw(String(deliveriesPerStep))}`,
    )
    count += chosen.filter(({ isReplayed }) => isReplayed).length
    if (chosen.length < deliveriesPerStep) return count
    last = chosen.at(-1) ?? last
  }
}

// All steps have the same end. Otherwise they would also replay deliveries that end meanwhile.
async function presentOf(db: Database): Promise<Date> {
  const [row] = await query<{ present: Date }>(db, Prisma.sql`SELECT ${databaseTime} AS present`)
  if (!row) throw new Error('The database did not return its time')
  return row.present
}

/** A delivery is not replayed if the sweep deletes it first. */
type Chosen = { id: string; createdAt: Date; isReplayed: boolean }

// Locks the queues in the order of their keys, and then the deliveries. The statement that records an attempt uses
// this order too. The count of a queue already includes its pending deliveries. Therefore only the other deliveries are
// added to it.
function replay(
  db: Database,
  { workspaceID, endpointID }: { workspaceID: string; endpointID: string },
  chosen: Prisma.Sql,
): Promise<Chosen[]> {
  return query<Chosen>(
    db,
    Prisma.sql`
    WITH chosen AS MATERIALIZED (${chosen}), held AS MATERIALIZED (
      SELECT q.key FROM (SELECT DISTINCT key FROM chosen ORDER BY key) AS c CROSS JOIN LATERAL (
        SELECT key FROM event_queues
        WHERE workspace_id = ${workspaceID} AND endpoint_id = ${endpointID} AND key = c.key FOR UPDATE) AS q
    ), locked AS MATERIALIZED (
      SELECT d.workspace_id, d.id, d.key, d.status
      FROM (SELECT * FROM chosen WHERE (SELECT count(*) FROM held) >= 0 ORDER BY id) AS c CROSS JOIN LATERAL (
        SELECT workspace_id, id, key, status FROM event_deliveries
        WHERE workspace_id = c.workspace_id AND id = c.id FOR UPDATE) AS d
    ), replayed AS (
      UPDATE event_deliveries d SET status = 'pending', retry_count = 0, started_at = ${databaseTime}
      FROM locked WHERE d.workspace_id = locked.workspace_id AND d.id = locked.id
      RETURNING d.id
    ), counted AS (
      SELECT key, count(*) FILTER (WHERE status <> 'pending') AS added FROM locked GROUP BY key
    ), queued AS (
      INSERT INTO event_queues AS q (workspace_id, endpoint_id, key, pending, next_attempt_at)
      SELECT ${workspaceID}, ${endpointID}, key, added, ${databaseTime} FROM counted WHERE added > 0 ORDER BY key
      ON CONFLICT (workspace_id, endpoint_id, key) DO UPDATE
      SET pending = q.pending + excluded.pending, next_attempt_at = excluded.next_attempt_at
    ), hastened AS (
      UPDATE event_queues q SET next_attempt_at = ${databaseTime} FROM counted
      WHERE q.workspace_id = ${workspaceID} AND q.endpoint_id = ${endpointID} AND q.key = counted.key
        AND counted.added = 0 AND q.pending > 0
    )
    SELECT chosen.id, chosen.created_at AS "createdAt", replayed.id IS NOT NULL AS "isReplayed"
    FROM chosen LEFT JOIN replayed USING (id) ORDER BY chosen.created_at, chosen.id`,
  )
}
