import { Badge, Group, Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { NavLink, useParams } from 'react-router'
import type {
  threadRow_thread$data,
  threadRow_thread$key,
} from '../../../generated/console/threadRow_thread.graphql.ts'
import { NotSent } from '../../composer/outbox/not-sent.tsx'
import { storageKeyOf, useHasUnsent } from '../../composer/outbox/outbox.ts'
import { useHasDraft } from '../../composer/use-draft.ts'
import { Icon, type IconName } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { shortTime } from '../../text/time.ts'
import { useToday } from '../../text/use-today.ts'
import { useThreadTitle } from '../../thread/thread-title.ts'
import { useLastMessage } from './last-message.ts'
import type { ThreadListName } from './thread-lists.ts'
import styles from './thread-row.module.css'

const ThreadRowMenu = lazyPart(() => import('./thread-row-menu.tsx'))

type Props = { thread: threadRow_thread$key; list: ThreadListName }

export function ThreadRow({ list, ...props }: Props) {
  const { workspaceID = '', threadID } = useParams()
  const thread = useFragment(
    graphql`
      fragment threadRow_thread on Thread {
        id unreadCount lastActivityAt closedAt state isPeristentChat
        recipients(first: 5) { nodes { __typename } }
        ...threadTitle_thread
        ...lastMessage_thread
        ...threadRowMenu_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  const today = useToday()
  const storageKey = storageKeyOf(workspaceID, { threadID: thread.id })
  const hasUnsent = useHasUnsent(storageKey)
  // If the thread is open, its composer already shows the draft.
  const hasDraft = useHasDraft(storageKey) && thread.id !== threadID
  const { text, mentionsViewer } = useLastMessage(thread)
  const unread = thread.unreadCount ?? 0
  return (
    <div className={styles.frame}>
      <NavLink
        className={styles.row ?? ''}
        to={`/${workspaceID}/threads/${thread.id}`}
        state={{ list }}
        data-thread-row
      >
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text truncate flex={1} fw={unread > 0 ? 700 : 500}>
            <StateMark state={thread.state} />
            {title}
          </Text>
          <ThreadIcon thread={thread} />
          <Text
            size="xs"
            c="dimmed"
            component="time"
            className={styles.time ?? ''}
            dateTime={thread.lastActivityAt}
          >
            {shortTime(thread.lastActivityAt, today)}
          </Text>
        </Group>
        <Group wrap="nowrap" gap="xs" h={20}>
          <Text flex={1} size="sm" c={unread > 0 ? undefined : 'dimmed'} truncate>
            {text}
          </Text>
          {thread.closedAt && <Note text="Closed" />}
          {hasUnsent ? <NotSent /> : hasDraft && <Note text="Draft" />}
          {unread > 0 && mentionsViewer && (
            <Badge size="sm" className={styles.badge ?? ''} role="img" aria-label="mentions you">
              @
            </Badge>
          )}
          {unread > 0 && (
            <Badge size="sm" className={styles.badge ?? ''} aria-label={`${unread} unread`}>
              {unread}
            </Badge>
          )}
        </Group>
      </NavLink>
      <div className={styles.menu}>
        <SmallPart>
          <ThreadRowMenu thread={thread} title={title} />
        </SmallPart>
      </div>
    </div>
  )
}

function Note({ text }: { text: string }) {
  return (
    <Text size="xs" c="dimmed" className={styles.badge ?? ''}>
      {text}
    </Text>
  )
}

type Kind = { icon: IconName; label: string }

const kinds = {
  dm: { icon: 'dms', label: 'Direct message' },
  groupChat: { icon: 'groups', label: 'Group chat' },
  thread: { icon: 'thread', label: 'Thread' },
} as const satisfies Record<string, Kind>

/** Shows whether a conversation is a DM, a group chat or a thread. */
function ThreadIcon({ thread: { isPeristentChat, recipients } }: { thread: threadRow_thread$data }) {
  const chat = recipients?.nodes[0]?.__typename === 'Group' ? kinds.groupChat : kinds.dm
  const { icon, label } = isPeristentChat ? chat : kinds.thread
  return (
    <span className={styles.icon} role="img" aria-label={label} title={label}>
      <Icon name={icon} size={14} />
    </span>
  )
}
