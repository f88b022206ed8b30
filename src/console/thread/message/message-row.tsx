import { Badge, Group, Text } from '@mantine/core'
import { memo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  messageRow_message$data,
  messageRow_message$key,
} from '../../../generated/console/messageRow_message.graphql.ts'
import { Avatar } from '../../page/avatar.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { isolated } from '../../text/isolated.ts'
import { timeOfDay } from '../../text/time.ts'
import { MessageActions } from '../actions/message-actions.tsx'
import { MessageContent } from './message-content.tsx'
import styles from './message-row.module.css'
import { Reactions, useReact } from './reactions.tsx'
import { StartedThreads } from './started-threads.tsx'
import { threadChange } from './thread-change.ts'

type Props = { message: messageRow_message$key; isContinued: boolean; isHighlighted: boolean }

export const MessageRow = memo(function MessageRow({ isContinued, isHighlighted, ...props }: Props) {
  const message = useFragment(
    graphql`
      fragment messageRow_message on Message {
        id position createdAt
        user { id name kind }
        origin { kind }
        event { type subject recipients(first: 10) { nodes { id name } } }
        ...messageContent_message
        ...reactions_message
        ...startedThreads_message
        ...messageActions_message
      }
    `,
    props.message,
  )
  const { add, remove, problem } = useReact(message.id)
  return (
    <article
      className={styles.row}
      id={message.id}
      data-position={message.position}
      data-continued={isContinued || undefined}
      data-change={message.event ? true : undefined}
      data-highlighted={isHighlighted || undefined}
      aria-label={`${isolated(message.user.name)}, ${timeOfDay(message.createdAt)}`}
    >
      {!message.event && !isContinued && (
        <div className={styles.avatar}>
          <Avatar user={message.user} isProgram={message.user.kind !== 'person'} />
        </div>
      )}
      <div className={styles.content}>
        {message.event ? (
          <SystemMessage message={message} />
        ) : (
          <>
            {!isContinued && <MessageAuthor message={message} />}
            <MessageContent message={message} />
            <Reactions message={message} onAdd={add} onRemove={remove} />
            <ProblemText problem={problem} />
            <StartedThreads message={message} />
          </>
        )}
      </div>
      {!message.event && <MessageActions message={message} onReact={add} />}
    </article>
  )
})

const programs: Record<string, string> = { app: 'App', webhook: 'Webhook' }

function MessageAuthor({ message: { createdAt, origin, user } }: { message: messageRow_message$data }) {
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

/** A change of the thread, as one line. */
function SystemMessage({ message: { createdAt, user, event } }: { message: messageRow_message$data }) {
  return (
    <Text size="sm" c="dimmed" ta="center">
      {isolated(user.name)} {event && threadChange(event, user.id)} ·{' '}
      <time dateTime={createdAt}>{timeOfDay(createdAt)}</time>
    </Text>
  )
}
