import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from '../platform/database.ts'
import { databaseFailure } from '../platform/database-errors.ts'
import type { Bounds, LaneName } from '../platform/joining.ts'
import { boundsOf } from '../platform/until.ts'

const distributed = new WeakSet<object>()

/** Declares that the tables of a database are distributed by workspace. A statement then writes to one workspace only. */
export function keepWorkspacesApart(db: Database): void {
  distributed.add(db)
}

/** The lane in which writes to a workspace are batched: one for all workspaces, or one each on a distributed database. */
export function laneOf(db: Database, workspaceID: string): string {
  return distributed.has(boundsOf(db).shared) ? workspaceID : ''
}

/**
 * How calls of several workspaces share statements: none fails by the contents of another, and one that waits for a lock
 * goes on waiting with those that are `together` with it, and holds up no others.
 */
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

/**
 * A part of a FROM with one row: the statement waits only this long for each lock. A statement that others wait for fails
 * soon. Its calls are then made again in lanes of their own, where they wait as long as the connection allows.
 */
export const shortWaits = Prisma.sql`(SELECT set_config('lock_timeout', '500ms', true) OFFSET 0) AS short_waits`

/** `shortWaits` with a join before it, in a lane that others wait for. */
export function joinShortWaits({ isOwn }: Pick<LaneName, 'isOwn'>): Prisma.Sql {
  return isOwn ? Prisma.empty : Prisma.sql` CROSS JOIN ${shortWaits}`
}
