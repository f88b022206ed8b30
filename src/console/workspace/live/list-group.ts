import { ConnectionHandler, type RecordProxy, type RecordSourceProxy } from 'relay-runtime'

/** The list of groups in the Relay store, by the key of its connection. */
const list = 'useAllGroups_groups'

/** Adds the group of an event to the list of groups. Removes a group that the person can no longer see. */
export function listGroup(store: RecordSourceProxy, event: RecordProxy | null | undefined): void {
  const id = event?.getValue('objectID')
  const group = event?.getLinkedRecord('group')
  const groups = ConnectionHandler.getConnection(store.getRoot(), list)
  if (group && groups) {
    const listed = groups.getLinkedRecords('edges') ?? []
    if (listed.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === id)) return
    const edge = ConnectionHandler.createEdge(store, groups, group, 'GroupEdge')
    ConnectionHandler.insertEdgeAfter(groups, edge)
  }
  if (group || event?.getValue('type') !== 'membersRemoved') return
  if (groups) ConnectionHandler.deleteNode(groups, String(id))
  store.delete(String(id))
}
