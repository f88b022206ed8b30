import type { Database } from '../database/database.ts'
import { AppError, invalidField } from '../errors.ts'
import { endsOfLog } from '../events/read-events.ts'
import { sequenceEvents } from '../events/sequence-events.ts'
import { readCursor, writeCursor } from '../platform/cursors.ts'
import { derivedID } from '../platform/ids.ts'

const name = 'events'
const keys = [{ type: 'bigint' }] as const

export function eventCursor(position: number): string {
  return writeCursor(name, [position])
}

/** Returns the position of a cursor. Throws if events after it were deleted, because the reader would miss them. */
export async function positionAfter(
  db: Database,
  workspaceID: string,
  cursor: string | null | undefined,
): Promise<number> {
  const { head, kept } = await endsOfLog(db, workspaceID)
  if (cursor == null) return kept
  const position = Number(readCursor('after', cursor, { name, keys })[0])
  if (position > head) throw invalidField('after', 'is not a cursor of this workspace')
  if (position < kept)
    throw new AppError(
      'cursor_expired',
      'Events after this cursor were deleted. Read latestEventCursor, load the current data, and continue from there.',
    )
  return position
}

/** Returns the positions of the log, and the position of the last event before a cursor. */
export async function rangeBefore(
  db: Database,
  workspaceID: string,
  cursor: string | null | undefined,
): Promise<{ head: number; kept: number; end: number }> {
  const { head, kept } = await endsOfLog(db, workspaceID)
  if (cursor == null) return { head, kept, end: head }
  const end = Number(readCursor('before', cursor, { name, keys })[0]) - 1
  if (end > head) throw invalidField('before', 'is not a cursor of this workspace')
  return { head, kept, end: Math.max(end, 0) }
}

/** Returns the position of the last event that is committed. */
export async function positionNow(db: Database, workspaceID: string): Promise<number> {
  await sequenceEvents(db)
  return (await endsOfLog(db, workspaceID)).head
}

/** Returns the ID of the event at a position. It is the same for every reader. */
export function eventID(workspaceID: string, position: number): string {
  return derivedID('evt', `${workspaceID} ${position}`)
}
