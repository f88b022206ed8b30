import { Group, Text, Title } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadHeader_thread$key } from '../../generated/console/threadHeader_thread.graphql.ts'
import { ThreadDetailsButton } from '../thread-details/thread-details-button.tsx'
import { usePageTitle } from '../workspace/page-title.ts'
import { useThreadTitle } from './thread-title.ts'

export function ThreadHeader(props: { thread: threadHeader_thread$key }) {
  const thread = useFragment(
    graphql`
      fragment threadHeader_thread on Thread {
        id
        recipients(first: 5) { nodes { id name } }
        ...threadTitle_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  usePageTitle(title)
  return (
    <Group px="md" py="xs" justify="space-between" wrap="nowrap" component="header">
      <div>
        <Title order={1} size="h4" lineClamp={1}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" lineClamp={1}>
          {thread.recipients?.nodes.map(({ name }) => name).join(', ')}
        </Text>
      </div>
      <ThreadDetailsButton threadID={thread.id} />
    </Group>
  )
}
