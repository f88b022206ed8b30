import { Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { groupPageQuery } from '../../generated/console/groupPageQuery.graphql.ts'
import { BackLink } from '../page/header.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { useReloadedQuery } from '../relay/use-query.ts'
import { useMembersChange } from '../session/members-change.ts'
import { useViewer } from '../session/viewer.ts'
import { ThreadPage } from '../thread/thread-page.tsx'
import { GroupHeader } from './group-header.tsx'
import styles from './group-page.module.css'

/** A group with its chat. */
export default function GroupPage() {
  const { workspaceID, groupID = '' } = useParams()
  const { listVersion } = useViewer()
  const [{ group }, reload] = useReloadedQuery<groupPageQuery>(
    graphql`
      query groupPageQuery($groupID: ID!) { group(id: $groupID) { ...groupHeader_group chat { id } } }
    `,
    { groupID },
    listVersion,
  )
  useMembersChange(groupID, reload)
  if (!group) return <NotFound what="Group" />
  return (
    <div className={styles.group}>
      <BackLink to={`/${workspaceID}/groups`} label="Groups" />
      {group.chat ? (
        <ThreadPage key={group.chat.id} threadID={group.chat.id} messageID={undefined} />
      ) : (
        <>
          <GroupHeader group={group} />
          <Text p="md" c="dimmed">
            Join the group to read its messages.
          </Text>
        </>
      )}
    </div>
  )
}
