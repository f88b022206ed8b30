import { readCursor } from '../../../src/platform/cursors.ts'

/** Returns the position in the log of a workspace. To other clients, a cursor is opaque. */
export function positionOf(cursor: string): number {
  return Number(readCursor('after', cursor, { name: 'events', keys: [{ type: 'bigint' }] })[0])
}
