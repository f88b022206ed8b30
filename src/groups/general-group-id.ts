import { id } from '../input.ts'
import { prefixOf } from '../platform/ids.ts'

/** Derives the ID of the General group from that of the workspace, so that nobody has to look it up. */
export function generalGroupID(workspaceID: string): string {
  return `grp_${workspaceID.slice('wks_'.length)}`
}

/** Turns a workspace's ID into that of its General group, and returns any other ID unchanged. */
export function toGroupID(given: string): string {
  return prefixOf(given) === 'wks' ? generalGroupID(given) : given
}

export const recipientID = id.transform(toGroupID)

export const groupID = recipientID
