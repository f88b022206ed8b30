import { Badge, Group, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { NavLink, useParams } from 'react-router'
import type { threadRow_thread$key } from '../../generated/console/threadRow_thread.graphql.ts'
import { shortTime } from '../text/time.ts'
import { useThreadTitle } from '../thread/thread-title.ts'
import { useLastMessageText } from './last-message.ts'
import type { ThreadListName } from './thread-lists.ts'
import styles from './thread-row.module.css'

const ThreadRowMenu = lazy(() => import('./thread-row-menu.tsx'))

type Props = { thread: threadRow_thread$key; list: ThreadListName }

/** A thread in a list. */
export function ThreadRow({ list, ...props }: Props) {
  const { workspaceID } = useParams()
  const thread = useFragment(
    graphql`
      fragment threadRow_thread on Thread {
        id unreadCount lastActivityAt
        ...threadTitle_thread
        ...lastMessage_thread
        ...threadRowMenu_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
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
          <Text truncate fw={unread > 0 ? 700 : 500}>
            {title}
          </Text>
          <Text
            size="xs"
            c="dimmed"
            component="time"
            className={styles.time ?? ''}
            dateTime={thread.lastActivityAt}
          >
            {shortTime(thread.lastActivityAt)}
          </Text>
        </Group>
        <Group justify="space-between" wrap="nowrap" gap="xs" h={20}>
          <Text size="sm" c={unread > 0 ? undefined : 'dimmed'} truncate>
            {useLastMessageText(thread)}
          </Text>
          {unread > 0 && (
            <Badge size="sm" className={styles.badge ?? ''} aria-label={`${unread} unread`}>
              {unread}
            </Badge>
          )}
        </Group>
      </NavLink>
      <div className={styles.menu}>
        <Suspense>
          <ThreadRowMenu thread={thread} title={title} />
        </Suspense>
      </div>
    </div>
  )
}
