import { derivedID } from '../platform/ids.ts'

/** Returns the ID of the event at a position. It is the same for every reader. */
export function eventID(workspaceID: string, position: number): string {
  return derivedID('evt', `${workspaceID} ${position}`)
}
