import { id } from '../input.ts'
import { prefixOf } from '../platform/ids.ts'

/** Derives the ID of the General group from the ID of the workspace, so that no look-up is needed. */
export function generalGroupID(workspaceID: string): string {
  return `grp_${workspaceID.slice('wks_'.length)}`
}

export function toGroupID(id: string): string {
  return prefixOf(id) === 'wks' ? generalGroupID(id) : id
}

export const recipientID = id.transform(toGroupID)

export const groupID = recipientID
