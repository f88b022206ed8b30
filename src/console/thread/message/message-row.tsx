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
        senderName
        user { id name kind }
        origin { kind via }
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
      aria-label={`${writersOf(message)}, ${timeOfDay(message.createdAt)}`}
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

type Message = messageRow_message$data

/** Returns the names of who wrote a message: the sender that it names, the author, and the program of a person. */
function writersOf({ senderName, user, origin }: Message): string {
  const names = [senderName, user.name, programOf({ user, origin })].filter((name) => name != null)
  return names.map(isolated).join(' via ')
}

/** Returns the name of the program with which a person wrote a message. Only its owner can see the name of a token. */
function programOf({ user, origin: { kind, via } }: Pick<Message, 'user' | 'origin'>): string | null {
  if (user.kind !== 'person' || kind === 'session') return null
  return via ?? 'a personal access token'
}

const badges: Record<string, string> = { app: 'App', webhook: 'Webhook' }

/** The name in bold is always the author. A sender can name itself as it likes. */
function MessageAuthor({ message }: { message: Message }) {
  const { createdAt, senderName, user } = message
  const program = programOf(message)
  const badge = badges[user.kind]
  return (
    <Group gap="xs">
      <Text size="sm" className={styles.author ?? ''}>
        {senderName && (
          <>
            <bdi>{senderName}</bdi> <span className={styles.via}>via</span>{' '}
          </>
        )}
        <bdi className={styles.name}>{user.name}</bdi>
        {program && (
          <>
            {' '}
            <span className={styles.via}>
              via <bdi>{program}</bdi>
            </span>
          </>
        )}
      </Text>
      {badge && (
        <Badge size="xs" variant="default" tt="none">
          {badge}
        </Badge>
      )}
      <Text size="xs" c="dimmed" component="time" dateTime={createdAt}>
        {timeOfDay(createdAt)}
      </Text>
    </Group>
  )
}

/** A change of the thread, as one line. */
function SystemMessage({ message }: { message: Message }) {
  const { createdAt, user, event } = message
  return (
    <Text size="sm" c="dimmed" ta="center">
      {writersOf(message)} {event && threadChange(event, user.id)} ·{' '}
      <time dateTime={createdAt}>{timeOfDay(createdAt)}</time>
    </Text>
  )
}
