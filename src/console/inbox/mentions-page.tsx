import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { Link, useParams } from 'react-router'
import type {
  mentionsPage_viewer$data,
  mentionsPage_viewer$key,
} from '../../generated/console/mentionsPage_viewer.graphql.ts'
import type { mentionsPageQuery } from '../../generated/console/mentionsPageQuery.graphql.ts'
import type { threadTitle_thread$key } from '../../generated/console/threadTitle_thread.graphql.ts'
import { Avatar } from '../page/avatar.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { Page } from '../page/page.tsx'
import { ShowMore } from '../page/show-more.tsx'
import { usePages } from '../relay/use-pages.ts'
import { useReloadedQuery } from '../relay/use-query.ts'
import { useInboxChange } from '../session/inbox-change.ts'
import { useViewer } from '../session/viewer.ts'
import { htmlPreview } from '../text/html-preview.ts'
import { shortTime } from '../text/time.ts'
import { useToday } from '../text/use-today.ts'
import { useThreadTitle } from '../thread/thread-title.ts'
import { GroupChip } from './list/thread-row-parts.tsx'
import styles from './mentions-page.module.css'

/** The messages that mention the person or one of their groups, the latest mention first. */
export default function MentionsPage() {
  const [isUnread, setUnread] = useState(true)
  return (
    <Page
      title="Mentions"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Show mentions"
          value={isUnread ? 'unread' : 'all'}
          onChange={(value) => setUnread(value === 'unread')}
          data={[
            { value: 'unread', label: 'Unread' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      <LoadingBoundary key={String(isUnread)}>
        <Mentions isUnread={isUnread} />
      </LoadingBoundary>
    </Page>
  )
}

function Mentions({ isUnread }: { isUnread: boolean }) {
  const [{ viewer }, reload] = useReloadedQuery<mentionsPageQuery>(
    graphql`
      query mentionsPageQuery($unread: Boolean) { viewer { ...mentionsPage_viewer @arguments(unread: $unread) } }
    `,
    { unread: isUnread || null },
    useViewer().listVersion,
  )
  useInboxChange(reload)
  return viewer && <List viewer={viewer} isUnread={isUnread} />
}

function List({ viewer, isUnread }: { viewer: mentionsPage_viewer$key; isUnread: boolean }) {
  const { data, more } = usePages(
    graphql`
      fragment mentionsPage_viewer on Viewer
      @refetchable(queryName: "mentionsPageMoreQuery")
      @argumentDefinitions(
        unread: { type: "Boolean" }
        first: { type: "Int", defaultValue: 50 }
        after: { type: "String" }
      ) {
        mentions(unread: $unread, first: $first, after: $after)
          @connection(key: "mentionsPage_mentions", filters: ["unread"]) {
          edges {
            node {
              id createdAt html
              user { id name kind avatarURL }
              thread {
                id kind
                recipients(first: 5) {
                  nodes { __typename ... on User { id name kind avatarURL } ... on Group { id name isPrivate } }
                }
                ...threadTitle_thread
              }
            }
          }
        }
      }
    `,
    viewer,
  )
  const edges = data.mentions?.edges ?? []
  if (edges.length === 0)
    return (
      <Text c="dimmed" role="status">
        {isUnread ? 'No unread mentions.' : 'Nobody has mentioned you yet.'}
      </Text>
    )
  return (
    <>
      <ul className={styles.list} aria-label="Mentions">
        {edges.map(({ node }) => (
          <Mention key={node.id} message={node} />
        ))}
      </ul>
      <ShowMore {...more} />
    </>
  )
}

type Message = NonNullable<mentionsPage_viewer$data['mentions']>['edges'][number]['node']

/** A message that mentions the person. It links to its place in the thread. */
function Mention({ message: { id, createdAt, html, user, thread } }: { message: Message }) {
  const { workspaceID } = useParams()
  const today = useToday()
  if (!thread) return null
  return (
    <li>
      <Link
        className={styles.mention ?? ''}
        to={`/${workspaceID}/threads/${thread.id}/${id}`}
        state={{ list: 'mentions' }}
      >
        <Group gap="xs" wrap="nowrap">
          <Avatar user={user} size="md" />
          <Text fw={600} size="sm" truncate>
            {user.name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            in <ThreadTitle thread={thread} />
          </Text>
          {thread.kind === 'thread' && (
            <GroupChip recipients={thread.recipients?.nodes ?? []} listGroupID={undefined} />
          )}
          <Text size="xs" c="dimmed" component="time" dateTime={createdAt} ms="auto" flex="none">
            {shortTime(createdAt, today)}
          </Text>
        </Group>
        <Text lineClamp={2} dir="auto" size="sm">
          {htmlPreview(html)}
        </Text>
      </Link>
    </li>
  )
}

function ThreadTitle({ thread }: { thread: threadTitle_thread$key }) {
  return useThreadTitle(thread)
}
