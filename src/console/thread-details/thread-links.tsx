import { Group } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadLinks_thread$key } from '../../generated/console/threadLinks_thread.graphql.ts'
import { CopyButton } from '../page/copying/copy-button.tsx'

export function ThreadLinks(props: { thread: threadLinks_thread$key }) {
  const { id, url } = useFragment(graphql`fragment threadLinks_thread on Thread { id url }`, props.thread)
  return (
    <Group gap="xs" pb="md">
      <CopyButton size="xs" label="Copy link" text={url} />
      <CopyButton size="xs" label="Copy ID" text={id} />
    </Group>
  )
}
