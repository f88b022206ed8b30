import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import type { useLiveGroupsSubscription } from '../../../generated/console/useLiveGroupsSubscription.graphql.ts'
import { announceMembers } from '../../session/members-change.ts'
import { listGroup } from './list-group.ts'
import { setRoles } from './set-roles.ts'

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
