import { id } from '../input.ts'
import { prefixOf } from '../platform/ids.ts'

/** Derives the ID of the General group from that of the workspace, so that nobody has to look it up. */
export function generalGroupID(workspaceID: string): string {
  return `grp_${workspaceID.slice('wks_'.length)}`
}

/** Turns a workspace's ID into that of its General group, and returns any other ID unchanged. */
export function toGroupID(id: string): string {
  return prefixOf(id) === 'wks' ? generalGroupID(id) : id
}

export const recipientID = id.transform(toGroupID)

export const groupID = recipientID
