import type { Database } from '../../database/database.ts'
import { query } from '../../database/query.ts'
import { type ChangedWorkspace, changedWorkspaces } from '../../events/changed-workspaces.ts'
import type { LastBatch } from '../../events/last-batch.ts'
import { type EventListener, Prisma } from '../../generated/prisma/client.ts'
import { eventListenerColumns } from '../endpoints/rows.ts'
import { listenInNewInstallations } from './listen-in-new-installations.ts'

/** Finds the listeners that must still read events. Each process follows the logs of all workspaces. */
export class WaitingListeners {
  readonly #db: Database
  #last: LastBatch | undefined
  /** The workspaces whose listeners may be behind. They stay here until no listener is behind. */
  readonly #workspaceIDs = new Set<string>()

  constructor(db: Database) {
    this.#db = db
  }

  async find(): Promise<EventListener[]> {
    const { changed, last } = await changedWorkspaces(this.#db, this.#last)
    const behind = await (changed ? this.#findIn(changed) : this.#findEverywhere())
    this.#last = last
    return behind
  }

  async #findIn(changed: ChangedWorkspace[]): Promise<EventListener[]> {
    const installed = changed.filter(({ hasInstalled }) => hasInstalled).map(({ workspaceID }) => workspaceID)
    if (installed.length > 0) await listenInNewInstallations(this.#db, installed)
    const resuming = await query<{ workspaceID: string }>(this.#db, withResuming)
    for (const { workspaceID } of [...changed, ...resuming]) this.#workspaceIDs.add(workspaceID)
    if (this.#workspaceIDs.size === 0) return []
    const behind = await query<EventListener>(this.#db, behindIn([...this.#workspaceIDs]))
    if (behind.length === 0) this.#workspaceIDs.clear()
    return behind
  }

  // Events can have been written while no process was running.
  async #findEverywhere(): Promise<EventListener[]> {
    await listenInNewInstallations(this.#db)
    const behind = await query<EventListener>(this.#db, allBehind)
    for (const { eventWorkspaceID } of behind) this.#workspaceIDs.add(eventWorkspaceID)
    return behind
  }
}

// The workspaces of listeners that must read older events, because their endpoint was enabled again or their app was
// installed.
const withResuming = Prisma.sql`
  SELECT DISTINCT event_workspace_id AS "workspaceID" FROM event_listeners
  WHERE is_resuming AND event_workspace_id > ''`

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
