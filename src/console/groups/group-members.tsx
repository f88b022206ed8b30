import { useCallback, useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { groupMembersQuery } from '../../generated/console/groupMembersQuery.graphql.ts'
import { SidePanel } from '../page/side-panel.tsx'
import { AddMembers } from './add-members.tsx'
import { MemberList } from './member-list.tsx'

type Props = { groupID: string; onClose: () => void }

/** The members of a group beside the page. */
export default function GroupMembers({ groupID, onClose }: Props) {
  return (
    <SidePanel title="Members" onClose={onClose}>
      <Members groupID={groupID} />
    </SidePanel>
  )
}

function Members({ groupID }: { groupID: string }) {
  const [fetchKey, setFetchKey] = useState(0)
  const { group, viewer } = useLazyLoadQuery<groupMembersQuery>(
    graphql`
      query groupMembersQuery($groupID: ID!) {
        viewer { workspaceRole }
        group(id: $groupID) { id memberCount viewerRole isGeneral ...memberList_group }
      }
    `,
    { groupID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const reload = useCallback(() => setFetchKey((key) => key + 1), [])
  if (!group) return null
  const canAdd = !group.isGeneral && (group.viewerRole || viewer?.workspaceRole === 'admin')
  return (
    <>
      {canAdd && <AddMembers groupID={groupID} onAdded={reload} />}
      <MemberList group={group} onChanged={reload} />
    </>
  )
}
