import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { systemMessage_message$key } from '../../../generated/console/systemMessage_message.graphql.ts'
import { timeOfDay } from '../../text/time.ts'

/** A change of the thread, as one line. */
export function SystemMessage(props: { message: systemMessage_message$key }) {
  const { createdAt, event, user } = useFragment(
    graphql`
      fragment systemMessage_message on Message {
        createdAt
        user { id name }
        event { type subject recipients(first: 10) { nodes { id name } } }
      }
    `,
    props.message,
  )
  if (!event) return null
  const others = event.recipients.nodes
  const hasLeft = others.length === 1 && others[0]?.id === user.id && event.type === 'recipientsRemoved'
  const change = hasLeft ? 'left the thread' : changeOf(event.type, event.subject, namesOf(others))
  return (
    <Text size="sm" c="dimmed" ta="center">
      {user.name} {change} · <time dateTime={createdAt}>{timeOfDay(createdAt)}</time>
    </Text>
  )
}

function namesOf(recipients: readonly { name: string }[]): string {
  return recipients.map(({ name }) => name).join(', ') || 'somebody you cannot see'
}

function changeOf(type: string, subject: string | null | undefined, names: string): string {
  switch (type) {
    case 'subjectChanged':
      return subject ? `changed the subject to “${subject}”` : 'removed the subject'
    case 'closed':
      return 'closed the thread'
    case 'reopened':
      return 'reopened the thread'
    case 'recipientsLocked':
      return 'locked the recipients'
    case 'recipientsUnlocked':
      return 'unlocked the recipients'
    case 'repliesTurnedOff':
      return 'turned replies off'
    case 'repliesTurnedOn':
      return 'turned replies on'
    case 'recipientsAdded':
      return `added ${names}`
    case 'recipientsRemoved':
      return `removed ${names}`
    default:
      return 'changed the thread'
  }
}
