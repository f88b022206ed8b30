import { Badge, Text } from '@mantine/core'
import { memo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  messageRow_message$data,
  messageRow_message$key,
} from '../../../generated/console/messageRow_message.graphql.ts'
import { Avatar } from '../../page/avatar.tsx'
import { longPress } from '../../page/long-press.ts'
import { ProblemText } from '../../page/problems/problem.tsx'
import { PersonButton } from '../../people/person-button.tsx'
import { isolated } from '../../text/isolated.ts'
import { dateAndTime, timeOfDay } from '../../text/time.ts'
import { MessageActions } from '../actions/message-actions.tsx'
import { Buttons } from './buttons.tsx'
import { MessageContent } from './message-content.tsx'
import styles from './message-row.module.css'
import { Reactions, useReact } from './reactions.tsx'
import { StartedThreads } from './started-threads.tsx'
import { threadChange } from './thread-change.ts'

type Props = {
  message: messageRow_message$key
  isContinued: boolean
  isHighlighted: boolean
  /** Whether a line runs behind the message. Chats and DMs have none. */
  isStrand: boolean
  isNew: boolean
  /** How the line ends, if the message is the last one. */
  end: 'open' | 'closed' | undefined
}

export const MessageRow = memo(function MessageRow({ isContinued, isHighlighted, ...props }: Props) {
  const message = useFragment(
    graphql`
      fragment messageRow_message on Message {
        id position createdAt
        senderName
        user { id name kind avatarURL }
        origin { kind via }
        event { type subject recipients(first: 10) { nodes { id name } } }
        ...messageContent_message
        ...buttons_message
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
      {...longPress}
      className={styles.row}
      id={message.id}
      data-position={message.position}
      data-continued={isContinued || undefined}
      data-change={message.event ? true : undefined}
      data-highlighted={isHighlighted || undefined}
      data-strand={props.isStrand || undefined}
      data-new={props.isNew || undefined}
      data-end={props.end}
      aria-label={`${writersOf(message)}, ${timeOfDay(message.createdAt)}`}
    >
      {!message.event && !isContinued && (
        <PersonButton
          className={styles.avatar}
          user={message.user}
          via={programOf(message)}
          tabIndex={-1}
          aria-label={`Picture of ${message.user.name}`}
        >
          <Avatar user={message.user} />
        </PersonButton>
      )}
      {isContinued && <Time createdAt={message.createdAt} className={styles.margin} />}
      <div className={styles.content}>
        {message.event ? (
          <SystemMessage message={message} />
        ) : (
          <>
            {!isContinued && <MessageAuthor message={message} />}
            <MessageContent message={message} isOpened={isHighlighted} />
            <Buttons message={message} />
            <Reactions message={message} onAdd={add} onRemove={remove} />
            <ProblemText problem={problem} />
            <StartedThreads message={message} />
          </>
        )}
      </div>
      {!message.event && <MessageActions message={message} onReact={add} onUnreact={remove} />}
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
    <div className={styles.head}>
      <Text size="sm" span className={styles.author ?? ''}>
        {senderName && (
          <>
            <bdi>{senderName}</bdi> <span className={styles.via}>via</span>{' '}
          </>
        )}
        <PersonButton className={styles.name} user={user} via={program}>
          <bdi>{user.name}</bdi>
        </PersonButton>
        {program && (
          <>
            {' '}
            <span className={styles.via}>
              via <bdi>{program}</bdi>
            </span>
          </>
        )}
      </Text>
      {badge && <Badge>{badge}</Badge>}
      <Time createdAt={createdAt} />
    </div>
  )
}

/** A change of the thread, as one line. */
function SystemMessage({ message }: { message: Message }) {
  const { createdAt, user, event } = message
  return (
    <Text size="sm" c="dimmed">
      {writersOf(message)} {event && threadChange(event, user.id)} · <Time createdAt={createdAt} />
    </Text>
  )
}

function Time({ createdAt, className = '' }: { createdAt: string; className?: string | undefined }) {
  return (
    <Text
      size="xs"
      c="dimmed"
      component="time"
      className={className}
      dateTime={createdAt}
      title={dateAndTime(createdAt)}
    >
      {timeOfDay(createdAt)}
    </Text>
  )
}
