import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type EventListener, Prisma } from '../../generated/prisma/client.ts'
import { eventListenerColumns } from '../endpoints/rows.ts'
import { listenInNewInstallations } from './listen-in-new-installations.ts'

type Changed = { workspaceID: string; number: bigint; hasInstalled: boolean }

/** Finds the listeners that must still read events. Each process follows the logs of all workspaces. */
export class WaitingListeners {
  readonly #db: Database
  #lastNumber: bigint | undefined
  /** The workspaces whose listeners may be behind. They stay here until no listener is behind. */
  readonly #workspaceIDs = new Set<string>()

  constructor(db: Database) {
    this.#db = db
  }

  async find(): Promise<EventListener[]> {
    if (this.#lastNumber === undefined) return this.#findAtStart()
    const changed = await query<Changed>(this.#db, changedAfter(this.#lastNumber))
    const installed = changed.filter(({ hasInstalled }) => hasInstalled).map(({ workspaceID }) => workspaceID)
    if (installed.length > 0) await listenInNewInstallations(this.#db, installed)
    for (const { workspaceID, number } of changed) {
      this.#workspaceIDs.add(workspaceID)
      if (number > this.#lastNumber) this.#lastNumber = number
    }
    if (this.#workspaceIDs.size === 0) return []
    const behind = await query<EventListener>(this.#db, behindIn([...this.#workspaceIDs]))
    if (behind.length === 0) this.#workspaceIDs.clear()
    return behind
  }

  // Events can have been written while no process was running.
  async #findAtStart(): Promise<EventListener[]> {
    const [last] = await query<{ number: bigint }>(
      this.#db,
      Prisma.sql`SELECT number FROM event_batches ORDER BY number DESC LIMIT 1`,
    )
    await listenInNewInstallations(this.#db)
    const behind = await query<EventListener>(this.#db, allBehind)
    for (const { eventWorkspaceID } of behind) this.#workspaceIDs.add(eventWorkspaceID)
    this.#lastNumber = last?.number ?? 0n
    return behind
  }
}

// Also returns the workspaces of listeners that must read older events, because their endpoint was enabled
// again or their app was installed.
function changedAfter(number: bigint): Prisma.Sql {
  return Prisma.sql`
    SELECT workspace_id AS "workspaceID", max(number) AS number,
      bool_or('app.installed' = ANY (types)) AS "hasInstalled"
    FROM event_batches WHERE number > ${number}::bigint GROUP BY workspace_id
    UNION ALL
    SELECT DISTINCT event_workspace_id, 0::bigint, FALSE FROM event_listeners
    WHERE is_resuming AND event_workspace_id > ''`
}

const ofActive = Prisma.sql`
  JOIN event_heads h ON h.workspace_id = l.event_workspace_id
  JOIN event_endpoints e ON e.workspace_id = l.workspace_id AND e.id = l.endpoint_id
  WHERE (l.position < h.position OR l.is_resuming) AND e.state = 'active' AND e.deleted_at IS NULL`

const allBehind = Prisma.sql`SELECT ${eventListenerColumns} FROM event_listeners l ${ofActive}`

function behindIn(workspaceIDs: string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT ${eventListenerColumns} FROM unnest(${workspaceIDs}::text[]) AS changed (id) CROSS JOIN LATERAL (
      SELECT * FROM event_listeners WHERE event_workspace_id = changed.id OFFSET 0) AS l ${ofActive}`
}
