import type { LoggedEvent } from '../events/read-events.ts'

/** Readers of an event share the rows that the event refers to, if they ask within this time. */
const sharedMs = 250

type Loaded = { at: number; row: Promise<unknown> }
const loaded = new WeakMap<LoggedEvent, Map<string, Loaded>>()

/** Loads a row that an event refers to. The caller must have checked that the reader can see the row. */
export function loadOnce<Row>(event: LoggedEvent, name: string, load: () => Promise<Row>): Promise<Row> {
  const rows = loaded.get(event) ?? new Map<string, Loaded>()
  loaded.set(event, rows)
  const now = performance.now()
  const known = rows.get(name)
  if (known && now - known.at < sharedMs) return known.row as Promise<Row>
  const row = load()
  rows.set(name, { at: now, row })
  row.catch(() => rows.delete(name))
  return row
}
