import type { threadRow_thread$data } from '../../../generated/console/threadRow_thread.graphql.ts'
import { Avatar, GroupAvatar } from '../../page/avatar.tsx'
import { Icon } from '../../page/icon.tsx'
import { Count, Dot } from '../../page/unread-mark.tsx'
import { nameList } from '../../text/name-list.ts'
import styles from './thread-row.module.css'

type Thread = threadRow_thread$data
type Recipients = NonNullable<Thread['recipients']>['nodes']
type Group = Extract<Recipients[number], { __typename: 'Group' }>

type AvatarProps = { startedBy: Thread['startedBy']; recipients: Recipients; viewerID: string }

/** Shows who started a thread, the other user of a DM, or the group of a group chat. */
export function RowAvatar({ startedBy, recipients, viewerID }: AvatarProps) {
  const [group] = groupsOf(recipients)
  const users = recipients.filter((recipient) => recipient.__typename === 'User')
  const user = startedBy ?? (group ? null : (users.find(({ id }) => id !== viewerID) ?? users[0]))
  if (user) return <Avatar user={user} size="md" />
  return <GroupAvatar isPrivate={group?.isPrivate ?? false} />
}

type ChipProps = { recipients: Recipients; listGroupID: string | undefined }

/** Names the groups of a thread, except the group in whose list the row is. */
export function GroupChip({ recipients, listGroupID }: ChipProps) {
  const groups = groupsOf(recipients).filter(({ id }) => id !== listGroupID)
  if (groups.length === 0) return null
  const names = nameList(groups.map(({ name }) => name))
  return (
    <span className={styles.chip} title={names}>
      <Icon name={groups.every(({ isPrivate }) => isPrivate) ? 'lock' : 'groups'} size={12} />
      <span className={styles.cut} dir="auto">
        {names}
      </span>
    </span>
  )
}

export function groupsOf(recipients: Recipients): Group[] {
  return recipients.filter((recipient) => recipient.__typename === 'Group')
}

type Counts = { unreadCount?: number | null | undefined; unreadMentionCount?: number | null | undefined }

/** A mention can be unread although the messages of its thread count as read. */
export function unreadOf({ unreadCount, unreadMentionCount }: Counts) {
  const mentionCount = unreadMentionCount ?? 0
  return { unreadCount: Math.max(unreadCount ?? 0, mentionCount), mentionsViewer: mentionCount > 0 }
}

type SlotProps = { unreadCount: number; isDM: boolean; mentionsViewer: boolean; isMuted: boolean }

/** Shows at most one mark: that the thread is muted, or how its unread messages concern the person. */
export function Slot({ unreadCount, isDM, mentionsViewer, isMuted }: SlotProps) {
  const label = `${unreadCount} unread`
  if (isMuted && !mentionsViewer)
    return (
      <span className={styles.muted} role="img" aria-label="muted">
        <Icon name="bellOff" size={16} />
      </span>
    )
  if (unreadCount === 0) return <Dot label={null} />
  if (isDM && !isMuted) return <Count value={unreadCount} label={label} />
  return mentionsViewer ? <Count value="@" label={`mentions you, ${label}`} /> : <Dot label={label} />
}
