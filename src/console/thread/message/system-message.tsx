import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  systemMessage_message$data,
  systemMessage_message$key,
} from '../../../generated/console/systemMessage_message.graphql.ts'
import { isolated } from '../../text/isolated.ts'
import { nameList } from '../../text/name-list.ts'
import { timeOfDay } from '../../text/time.ts'
import { threadChanges } from './thread-changes.ts'

/** A change of the thread, as one line. */
export function SystemMessage(props: { message: systemMessage_message$key }) {
  const message = useFragment(
    graphql`
      fragment systemMessage_message on Message {
        createdAt
        user { id name }
        event { type subject recipients(first: 10) { nodes { id name } } }
      }
    `,
    props.message,
  )
  const { createdAt, user } = message
  return (
    <Text size="sm" c="dimmed" ta="center">
      {isolated(user.name)} {changeOf(message)} · <time dateTime={createdAt}>{timeOfDay(createdAt)}</time>
    </Text>
  )
}

function changeOf({ event, user }: systemMessage_message$data): string {
  const recipients = event?.recipients.nodes ?? []
  const names = nameList(recipients.map(({ name }) => name)) || 'somebody you cannot see'
  switch (event?.type) {
    case 'subjectChanged':
      return event.subject ? `changed the subject to “${isolated(event.subject)}”` : 'removed the subject'
    case 'recipientsAdded':
      return `added ${names}`
    case 'recipientsRemoved':
      return recipients.length === 1 && recipients[0]?.id === user.id ? 'left the thread' : `removed ${names}`
    default:
      return threadChanges[event?.type ?? ''] ?? 'changed the thread'
  }
}
