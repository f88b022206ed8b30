import { ActionIcon, Anchor, Group, Text, Title } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type { threadHeader_thread$key } from '../../generated/console/threadHeader_thread.graphql.ts'
import { Avatar, type Pictured } from '../page/avatar.tsx'
import { Header } from '../page/header.tsx'
import { Icon } from '../page/icon.tsx'
import { detailsOf, type Side, useSide } from '../page/side-column.ts'
import { StateMark } from '../page/state-mark.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { useIsNarrow, useIsPhone } from '../page/widths.ts'
import { nameList } from '../text/name-list.ts'
import styles from './thread-header.module.css'
import { useThreadTitle } from './thread-title.ts'
import { ThreadTools } from './thread-tools.tsx'

function DetailsButton({ of }: { of: Side }) {
  const { shown, open, close } = useSide()
  const isShown = shown?.kind === of.kind && shown.id === of.id
  return (
    <ActionIcon
      {...(isShown && { bg: 'var(--press)' })}
      aria-label={of.kind === 'group' ? 'Group details' : 'Thread details'}
      aria-expanded={isShown}
      onClick={() => (isShown ? close() : open(of))}
    >
      <Icon name="column" />
    </ActionIcon>
  )
}

type Props = {
  thread: threadHeader_thread$key
  /** The people and programs that wrote last in the thread. */
  writers: readonly Pictured[]
}

export function ThreadHeader({ writers, ...props }: Props) {
  const thread = useFragment(
    graphql`
      fragment threadHeader_thread on Thread {
        id
        kind
        state
        recipients(first: 5) { nodes { __typename id name } }
        all: recipients(first: 100) { nodes { id } pageInfo { hasNextPage } }
        ...threadTitle_thread
        ...threadTools_thread
      }
    `,
    props.thread,
  )
  const title = useThreadTitle(thread)
  usePageTitle(title)
  const recipients = thread.recipients?.nodes ?? []
  const names = recipients.map(({ name }) => name)
  const subtitle = thread.kind === 'dm' ? 'Direct message' : nameList(names, restOf(thread.all, names.length))
  const isChat = thread.kind === 'groupChat'
  // On the page of its group, a chat is beside the name of the group.
  const isBesideGroup = useParams().groupID !== undefined && isChat
  const isNarrow = useIsNarrow()
  const namesRecipients = !isChat && subtitle !== title
  const isPhone = useIsPhone()
  // A phone has two lines.
  const isMarkBelow = isPhone && namesRecipients
  const details = <DetailsButton of={detailsOf(thread, recipients[0]?.id)} />
  return (
    <Header>
      <div className={styles.title}>
        <Title
          order={isBesideGroup && !isNarrow ? 2 : 1}
          size="h2"
          dir="auto"
          className={styles.subject ?? ''}
        >
          {!isMarkBelow && <StateMark state={thread.state} />}
          {isBesideGroup ? 'Group chat' : title}
        </Title>
        {isChat && !isBesideGroup && <GroupLink groupID={recipients[0]?.id} />}
        {namesRecipients && (
          <Text size="xs" className={styles.recipients ?? ''}>
            {isMarkBelow && <StateMark state={thread.state} />}
            {recipients[0]?.__typename === 'Group' && <Icon name="groups" size={12} />}
            <span className={styles.line} dir="auto">
              {subtitle}
            </span>
          </Text>
        )}
      </div>
      <Group gap={4} wrap="nowrap">
        {thread.kind === 'thread' && writers.length > 0 && <Faces of={writers} />}
        {isPhone ? details : <ThreadTools thread={thread}>{details}</ThreadTools>}
      </Group>
    </Header>
  )
}

function Faces({ of }: { of: readonly Pictured[] }) {
  const names = nameList(
    of.map(({ name }) => name),
    0,
  )
  return (
    <span className={styles.faces} role="img" aria-label={`Last wrote: ${names}`} title={names}>
      {of.map((user) => (
        <Avatar key={user.id} user={user} size="md" />
      ))}
    </span>
  )
}

function GroupLink({ groupID }: { groupID: string | undefined }) {
  const { workspaceID } = useParams()
  return (
    <Anchor component={Link} to={`/${workspaceID}/groups/${groupID}`} size="sm" lh="1.5rem">
      All threads of the group
    </Anchor>
  )
}

type Connection = { nodes: readonly object[]; pageInfo: { hasNextPage: boolean } }

/** Returns the number of recipients that are not shown, or null if there are too many to count. */
function restOf(all: Connection | null | undefined, shownCount: number): number | null {
  if (all?.pageInfo.hasNextPage) return null
  return Math.max(0, (all?.nodes.length ?? 0) - shownCount)
}
