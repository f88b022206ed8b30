import { Badge, Group, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageAuthor_message$key } from '../../../generated/console/messageAuthor_message.graphql.ts'
import { timeOfDay } from '../../text/time.ts'

const programs: Record<string, string> = { app: 'App', webhook: 'Webhook' }

export function MessageAuthor(props: { message: messageAuthor_message$key }) {
  const { createdAt, origin, user } = useFragment(
    graphql`fragment messageAuthor_message on Message { createdAt origin { kind } user { name kind } }`,
    props.message,
  )
  const program = programs[user.kind] ?? programs[origin.kind]
  return (
    <Group gap="xs">
      <Text fw={600} size="sm">
        {user.name}
      </Text>
      {program && (
        <Badge size="xs" variant="default" tt="none">
          {program}
        </Badge>
      )}
      <Text size="xs" c="dimmed" component="time" dateTime={createdAt}>
        {timeOfDay(createdAt)}
      </Text>
    </Group>
  )
}
