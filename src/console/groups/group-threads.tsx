import { Button, List, Text } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { groupThreadsQuery } from '../../generated/console/groupThreadsQuery.graphql.ts'
import { groupThreads } from '../inbox/list/thread-lists.ts'
import { ThreadRow } from '../inbox/list/thread-row.tsx'
import { useThreads } from '../inbox/list/use-threads.ts'
import { SidePanel } from '../page/dialogs/side-panel.tsx'
import { ShowMore } from '../page/show-more.tsx'
import { useQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'

type Props = { groupID: string; onClose: () => void }

export default function GroupThreads({ groupID, onClose }: Props) {
  const { workspaceID } = useParams()
  return (
    <SidePanel title="Threads" onClose={onClose}>
      <Button component={Link} to={`/${workspaceID}/new?to=${groupID}`} variant="default" fullWidth mb="sm">
        New thread
      </Button>
      <ThreadsOfGroup groupID={groupID} />
    </SidePanel>
  )
}

const pageSize = 20

/** The threads that have a group as a recipient, with the latest activity first. `useLiveInbox` keeps them current. */
function ThreadsOfGroup({ groupID }: { groupID: string }) {
  const query = useQuery<groupThreadsQuery>(
    graphql`
      query groupThreadsQuery($first: Int, $filter: ThreadFilter) {
        ...useThreads_query @arguments(first: $first, filter: $filter)
      }
    `,
    { first: pageSize, filter: groupThreads(groupID) },
    { fetchKey: useViewer().listVersion, fetchPolicy: 'store-and-network' },
  )
  const { threads, hasNext, isLoadingNext, loadNext } = useThreads(query)
  if (threads.length === 0) return <Text c="dimmed">The group has no threads yet.</Text>
  return (
    <>
      <List listStyleType="none" styles={{ itemWrapper: { display: 'block' } }}>
        {threads.map((thread) => (
          <List.Item key={thread.id}>
            <ThreadRow thread={thread} list="all" />
          </List.Item>
        ))}
      </List>
      <ShowMore hasMore={hasNext} isLoading={isLoadingNext} onMore={() => loadNext(pageSize)} />
    </>
  )
}
