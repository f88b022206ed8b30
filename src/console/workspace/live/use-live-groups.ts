import { useMemo } from 'react'
import { graphql } from 'react-relay/hooks'
import {
  ConnectionHandler,
  type RecordProxy,
  type RecordSourceProxy,
  type RecordSourceSelectorProxy,
} from 'relay-runtime'
import type { useLiveGroupsSubscription } from '../../../generated/console/useLiveGroupsSubscription.graphql.ts'
import { useStream } from '../../relay/use-stream.ts'
import { announceMembers } from '../../session/members-change.ts'
import { announceAddition, retractAddition } from './additions.ts'

/** Returns the lists of groups in the Relay store. The sidebar shows only the groups that the person is in. */
function groupLists(store: RecordSourceProxy, viewerID: string): RecordProxy[] {
  const viewer = store.get(viewerID)
  const lists = [
    ConnectionHandler.getConnection(store.getRoot(), 'groupsPage_groups'),
    viewer && ConnectionHandler.getConnection(viewer, 'sideGroups_groups'),
  ]
  return lists.filter((list) => list != null)
}

/** Adds the group of an event to the lists of groups. Removes a group that the person can no longer see. */
function listGroup(store: RecordSourceProxy, event: RecordProxy | null | undefined, viewerID: string): void {
  const id = String(event?.getValue('objectID'))
  const group = event?.getLinkedRecord('group')
  const lists = groupLists(store, viewerID)
  if (group) for (const list of lists) addGroup(store, list, group)
  if (group || event?.getValue('type') !== 'membersRemoved') return
  for (const list of lists) ConnectionHandler.deleteNode(list, id)
  store.delete(id)
}

function addGroup(store: RecordSourceProxy, list: RecordProxy, group: RecordProxy): void {
  const listed = list.getLinkedRecords('edges') ?? []
  if (listed.some((edge) => edge?.getLinkedRecord('node')?.getDataID() === group.getDataID())) return
  const edge = ConnectionHandler.createEdge(store, list, group, 'GroupEdge')
  ConnectionHandler.insertEdgeAfter(list, edge)
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

/** Tells the page that somebody else has added the person to a group, or that the person is no longer a member. */
function announceMembership(viewerID: string, event: Response): void {
  const { type, objectID, group, user, userIDs } = event?.events ?? {}
  if (objectID === undefined || !userIDs?.includes(viewerID)) return
  if (type === 'membersRemoved') retractAddition(objectID)
  if (type === 'membersAdded' && group && user?.id !== viewerID)
    announceAddition({ groupID: objectID, groupName: group.name, adderName: user?.name ?? null })
}

type Options = { viewerID: string; after: string | null | undefined; reload: () => void }
type Response = useLiveGroupsSubscription['response'] | null | undefined

/**
 * Keeps groups, their members and people current. Calls `reload` if the role of the person in the workspace changes,
 * because their permissions and what they see depend on it.
 */
export function useLiveGroups({ viewerID, after, reload }: Options): void {
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
              id isGeneral name description isPrivate memberCount viewerRole viewerCanAdminister isPinned
              ...groupRow_group
            }
            user { id name email isInvited avatarURL }
          }
        }
      `,
      variables: {},
      updater: (store: RecordSourceSelectorProxy, response: Response) => {
        const event = store.getRootField('events')
        const { type, objectID, group, userIDs } = response?.events ?? {}
        if (type === 'memberUpdated') setRoles(event)
        else listGroup(store, event, viewerID)
        if (type === 'memberUpdated' && group?.isGeneral && userIDs?.includes(viewerID)) reload()
        announceMembership(viewerID, response)
        if (type === 'membersAdded' || type === 'membersRemoved') announceMembers(objectID)
        // A person who is restored is updated.
        if (type?.startsWith('user')) announceMembers()
      },
    }),
    [viewerID, reload],
  )
  useStream<useLiveGroupsSubscription>(config, { after, reload })
}
