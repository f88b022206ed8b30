import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import {
  ConnectionHandler,
  type RecordProxy,
  type RecordSourceProxy,
  type RecordSourceSelectorProxy,
} from 'relay-runtime'
import type { useLiveGroupsSubscription } from '../../../generated/console/useLiveGroupsSubscription.graphql.ts'
import { announceMembers } from '../../session/members-change.ts'

/** The list of groups in the Relay store, by the key of its connection. */
const list = 'groupsPage_groups'

/** Adds the group of an event to the list of groups. Removes a group that the person can no longer see. */
function listGroup(store: RecordSourceProxy, event: RecordProxy | null | undefined): void {
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

/** The lists of the members of a group in the Relay store, by the keys of their connections. */
const memberLists = ['groupMembersList_members', 'peoplePageList_members']

/** Writes the new role of an event to the members that the event names, in all member lists of the group. */
function setRoles(event: RecordProxy | null | undefined): void {
  const group = event?.getLinkedRecord('group')
  if (!event || !group) return
  const role = event.getValue('role')
  const userIDs = new Set(event.getValue('userIDs') as string[] | null)
  for (const list of memberLists) {
    for (const edge of ConnectionHandler.getConnection(group, list)?.getLinkedRecords('edges') ?? []) {
      if (userIDs.has(edge.getLinkedRecord('node')?.getDataID() ?? '')) edge.setValue(role, 'role')
    }
  }
}

type Options = { viewerID: string; after: string | null | undefined; reload: () => void }
type Response = useLiveGroupsSubscription['response'] | null | undefined

/**
 * Keeps groups, their members and people current. Calls `reload` if the role of the person in the workspace changes,
 * because their permissions and what they see depend on it.
 */
export function useLiveGroups({ viewerID, after, reload }: Options): void {
  // `after` changes at each reload, and can be a cursor before the change that caused the reload. A new subscription
  // would deliver this change again, and reload again.
  const [firstCursor] = useState(after)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription useLiveGroupsSubscription($after: String) {
          events(
            types: [
              groupCreated, groupUpdated, membersAdded, membersRemoved, memberUpdated
              userCreated, userUpdated, userDeactivated
            ]
            after: $after
          ) {
            cursor
            type
            objectID
            userIDs
            role
            group {
              id isGeneral name description isPrivate memberCount viewerRole viewerCanAdminister
              ...groupRow_group
            }
            user { id name email isInvited }
          }
        }
      `,
      variables: { after: firstCursor },
      updater: (store: RecordSourceSelectorProxy, response: Response) => {
        const event = store.getRootField('events')
        const { type, objectID, group, userIDs } = response?.events ?? {}
        if (type === 'memberUpdated') setRoles(event)
        else listGroup(store, event)
        if (type === 'memberUpdated' && group?.isGeneral && userIDs?.includes(viewerID)) reload()
        if (type === 'membersAdded' || type === 'membersRemoved') announceMembers(objectID)
        // A person who is restored is updated.
        if (type?.startsWith('user')) announceMembers()
      },
    }),
    [firstCursor, viewerID, reload],
  )
  useSubscription<useLiveGroupsSubscription>(config)
}
