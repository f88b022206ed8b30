import { readPlace } from '../../../src/feeds/event-cursor.ts'

/** Returns the position in the log of a workspace. To other clients, a cursor is opaque. */
export function positionOf(cursor: string): number {
  return readPlace('after', cursor).position
}
