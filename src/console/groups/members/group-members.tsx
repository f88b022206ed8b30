import { useCallback, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { groupMembersQuery } from '../../../generated/console/groupMembersQuery.graphql.ts'
import { SidePanel } from '../../page/dialogs/side-panel.tsx'
import { useQuery } from '../../relay/use-query.ts'
import { useMembersChange } from '../../session/members-change.ts'
import { AddMembers } from './add-members.tsx'
import { MemberList } from './member-list.tsx'

type Props = { groupID: string; onClose: () => void }

export default function GroupMembers({ groupID, onClose }: Props) {
  return (
    <SidePanel title="Members" onClose={onClose}>
      <Members groupID={groupID} />
    </SidePanel>
  )
}

function Members({ groupID }: { groupID: string }) {
  const [fetchKey, setFetchKey] = useState(0)
  const { group } = useQuery<groupMembersQuery>(
    graphql`
      query groupMembersQuery($groupID: ID!) {
        group(id: $groupID) { id viewerRole isGeneral viewerCanAdminister ...memberList_group }
      }
    `,
    { groupID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const reload = useCallback(() => setFetchKey((key) => key + 1), [])
  useMembersChange(groupID, reload)
  if (!group) return null
  const canAdd = !group.isGeneral && (group.viewerRole || group.viewerCanAdminister)
  return (
    <>
      {canAdd && <AddMembers groupID={groupID} onAdded={reload} />}
      <MemberList group={group} onChanged={reload} />
    </>
  )
}
