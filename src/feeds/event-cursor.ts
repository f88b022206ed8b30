import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { endsOfLog, type Place, tagAt } from '../events/read-events.ts'
import { sequenceEvents } from '../events/sequence-events.ts'
import { PageError, readCursor, writeCursor } from '../platform/cursors.ts'
import { derivedID } from '../platform/ids.ts'

const list = { name: 'events', keys: [{ type: 'text' }] } as const
/** The cursors of earlier versions have no tag. */
const placePattern = /^(\d{1,18})(?:\.(\d{1,10}))?$/

type Ends = { head: number; kept: number }

export function eventCursor({ position, tag }: Place): string {
  return writeCursor(list.name, [`${position}.${tag}`])
}

/** Returns the place of a cursor. Throws if events after it were deleted or lost, because the reader would miss them. */
export async function placeAfter(
  db: Database,
  workspaceID: string,
  cursor: string | null | undefined,
): Promise<Place> {
  const ends = await endsOfLog(db, workspaceID)
  if (cursor == null) return { position: ends.kept, tag: 0 }
  const place = readPlace('after', cursor)
  await requireKnown(db, workspaceID, place, ends)
  if (place.position < ends.kept)
    throw expired('Events after this cursor were deleted. Read latestEventCursor')
  return place
}

/** Returns the positions of the log, and the position of the last event before a cursor. */
export async function rangeBefore(
  db: Database,
  workspaceID: string,
  cursor: string | null | undefined,
): Promise<Ends & { end: number }> {
  const ends = await endsOfLog(db, workspaceID)
  if (cursor == null) return { ...ends, end: ends.head }
  const place = readPlace('before', cursor)
  // The first cursor of an empty page is after the last event.
  if (place.position !== ends.head + 1 || place.tag !== 0) await requireKnown(db, workspaceID, place, ends)
  return { ...ends, end: Math.max(place.position - 1, 0) }
}

export function readPlace(field: string, cursor: string): Place {
  const [text = ''] = readCursor(field, cursor, list)
  const [, position, tag] = placePattern.exec(text) ?? []
  if (position === undefined) throw new PageError(field, 'is not a cursor of this list')
  if (tag === undefined && position !== '0')
    throw expired('This cursor is from an earlier version of the service. Read latestEventCursor')
  return { position: Number(position), tag: Number(tag ?? 0) }
}

// If the database was restored to an earlier state, other events can have the positions of events that were read.
async function requireKnown(db: Database, workspaceID: string, place: Place, ends: Ends): Promise<void> {
  const { position, tag } = place
  if (position <= ends.kept) return
  if (position <= ends.head && (await tagAt(db, workspaceID, position)) === tag) return
  throw expired(
    'The log does not have the event of this cursor. Either it is a cursor of another workspace, or the database was ' +
      'restored to an earlier state. Read latestEventCursor',
  )
}

function expired(reason: string): AppError {
  return new AppError('cursor_expired', `${reason}, load the current data, and continue from there.`)
}

/** Returns the place of the last event that is committed. */
export async function placeNow(db: Database, workspaceID: string): Promise<Place> {
  await sequenceEvents(db)
  const { head } = await endsOfLog(db, workspaceID)
  return placeAt(db, workspaceID, head)
}

export async function placeAt(db: Database, workspaceID: string, position: number): Promise<Place> {
  return { position, tag: await tagAt(db, workspaceID, position) }
}

/** Returns the ID of the event at a place. It is the same for every reader. */
export function eventID(workspaceID: string, { position, tag }: Place): string {
  return derivedID('evt', tag === 0 ? `${workspaceID} ${position}` : `${workspaceID} ${position} ${tag}`)
}
