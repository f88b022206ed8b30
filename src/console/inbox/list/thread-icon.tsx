import { graphql, useFragment } from 'react-relay/hooks'
import type { threadIcon_thread$key } from '../../../generated/console/threadIcon_thread.graphql.ts'
import { Icon, type IconName } from '../../page/icon.tsx'
import styles from './thread-row.module.css'

type Kind = { icon: IconName; label: string }

const kinds = {
  dm: { icon: 'dms', label: 'Direct message' },
  groupChat: { icon: 'groups', label: 'Group chat' },
  thread: { icon: 'thread', label: 'Thread' },
} as const satisfies Record<string, Kind>

/** Shows whether a conversation is a DM, a group chat or a thread. */
export function ThreadIcon(props: { thread: threadIcon_thread$key }) {
  const { isPeristentChat, recipients } = useFragment(
    graphql`
      fragment threadIcon_thread on Thread { isPeristentChat recipients(first: 5) { nodes { __typename } } }
    `,
    props.thread,
  )
  const chat = recipients?.nodes[0]?.__typename === 'Group' ? kinds.groupChat : kinds.dm
  const { icon, label } = isPeristentChat ? chat : kinds.thread
  return (
    <span className={styles.icon} role="img" aria-label={label} title={label}>
      <Icon name={icon} size={14} />
    </span>
  )
}
