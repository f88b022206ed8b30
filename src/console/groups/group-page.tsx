import { Text } from '@mantine/core'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { groupPageQuery } from '../../generated/console/groupPageQuery.graphql.ts'
import { NotFound } from '../page/not-found.tsx'
import { ThreadPage } from '../thread/thread-page.tsx'
import { useViewer } from '../workspace/viewer.ts'
import { GroupHeader } from './group-header.tsx'
import styles from './groups.module.css'

/** A group with its chat. */
export default function GroupPage() {
  const { groupID = '' } = useParams()
  const { group } = useLazyLoadQuery<groupPageQuery>(
    graphql`
      query groupPageQuery($groupID: ID!) { group(id: $groupID) { ...groupHeader_group chat { id } } }
    `,
    { groupID },
    { fetchKey: useViewer().listVersion, fetchPolicy: 'store-and-network' },
  )
  if (!group) return <NotFound what="Group" />
  const header = <GroupHeader group={group} />
  return (
    <div className={styles.group}>
      {group.chat ? (
        <ThreadPage threadID={group.chat.id} messageID={undefined} header={header} />
      ) : (
        <>
          {header}
          <Text p="md" c="dimmed">
            Join the group to read its messages.
          </Text>
        </>
      )}
    </div>
  )
}
