import { id } from '../input.ts'
import { prefixOf } from '../platform/ids.ts'

/** The ID of the General group of a workspace: it follows from the workspace's ID, so that nobody has to look it up. */
export function generalGroupID(workspaceID: string): string {
  return `grp_${workspaceID.slice('wks_'.length)}`
}

/** The ID of a group, by any ID that means it: a workspace's ID means its General group. Leaves other IDs as they are. */
export function toGroupID(given: string): string {
  return prefixOf(given) === 'wks' ? generalGroupID(given) : given
}

/** The ID of a user or a group as a field of an input. */
export const recipientID = id.transform(toGroupID)

/** The ID of a group as a field of an input. */
export const groupID = recipientID
