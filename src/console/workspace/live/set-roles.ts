import { ConnectionHandler, type RecordProxy } from 'relay-runtime'

/** The lists of the members of a group in the Relay store, by the keys of their connections. */
const lists = ['memberList_members', 'peopleList_members']

/** Writes the new role of an event to the members that the event names, in all member lists of the group. */
export function setRoles(event: RecordProxy | null | undefined): void {
  const group = event?.getLinkedRecord('group')
  if (!event || !group) return
  const role = event.getValue('role')
  const userIDs = new Set(event.getValue('userIDs') as string[] | null)
  for (const list of lists) {
    for (const edge of ConnectionHandler.getConnection(group, list)?.getLinkedRecords('edges') ?? []) {
      if (userIDs.has(edge.getLinkedRecord('node')?.getDataID() ?? '')) edge.setValue(role, 'role')
    }
  }
}
