import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { systemMessage_message$key } from '../../../generated/console/systemMessage_message.graphql.ts'
import { isolated } from '../../text/isolated.ts'
import { timeOfDay } from '../../text/time.ts'
import { threadChange } from './thread-change.ts'

/** A change of the thread, as one line. */
export function SystemMessage(props: { message: systemMessage_message$key }) {
  const { createdAt, user, event } = useFragment(
    graphql`
      fragment systemMessage_message on Message {
        createdAt
        user { id name }
        event { type subject recipients(first: 10) { nodes { id name } } }
      }
    `,
    props.message,
  )
  return (
    <Text size="sm" c="dimmed" ta="center">
      {isolated(user.name)} {event && threadChange(event, user.id)} ·{' '}
      <time dateTime={createdAt}>{timeOfDay(createdAt)}</time>
    </Text>
  )
}
