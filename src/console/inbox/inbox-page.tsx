import { Box, SegmentedControl, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useLocation, useParams } from 'react-router'
import type { inboxPageDirectMessagesQuery } from '../../generated/console/inboxPageDirectMessagesQuery.graphql.ts'
import { BackLink, Header } from '../page/header.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { useQuery } from '../relay/use-query.ts'
import { useViewer } from '../session/viewer.ts'
import { ThreadPage } from '../thread/thread-page.tsx'
import { InboxThreads } from './list/inbox-threads.tsx'
import { ThreadList } from './list/thread-list.tsx'
import { directMessages } from './list/thread-lists.ts'
import { useThreads } from './list/use-threads.ts'
import { Notice } from './notice.tsx'
import styles from './panes.module.css'
import { useWelcome, Welcome } from './welcome.tsx'

const NewDirectMessage = lazyPart(() => import('./new-direct-message.tsx'))

/** The threads or direct messages of the person, and the thread that is open. */
export function InboxPage() {
  const { workspaceID, threadID, messageID } = useParams()
  const { pathname, state } = useLocation()
  const isDMs = pathname.split('/')[2] === 'dms' || (threadID !== undefined && state?.list === 'dms')
  const welcome = useWelcome()
  const [filter, setFilter] = useState<'all' | 'unread'>('all')
  const title = isDMs ? 'Direct messages' : 'Inbox'
  return (
    <div className={styles.panes} data-shows={threadID ? 'detail' : 'list'}>
      <section className={styles.list} aria-label={title}>
        {!threadID && <ThreadListTitle title={title} />}
        <Header>
          <Title order={threadID ? 2 : 1} size="h4">
            {title}
          </Title>
          {!isDMs && <ThreadFilterControl filter={filter} onChange={setFilter} />}
        </Header>
        {!isDMs && (
          <Box hiddenFrom="md">
            <Welcome {...welcome} />
          </Box>
        )}
        {isDMs && (
          <SmallPart>
            <NewDirectMessage />
          </SmallPart>
        )}
        <ProblemBoundary>
          <LoadingBoundary>
            {isDMs ? <DirectMessages /> : <InboxThreads key={filter} isOnlyUnread={filter === 'unread'} />}
          </LoadingBoundary>
        </ProblemBoundary>
        {!isDMs && (
          // A phone has no room for two notices, one above the other.
          <Box {...(welcome.isShown && { visibleFrom: 'md' })}>
            <SmallPart>
              <Notice />
            </SmallPart>
          </Box>
        )}
      </section>
      <div className={styles.detail}>
        {threadID ? (
          <>
            <BackLink to={`/${workspaceID}/${isDMs ? 'dms' : 'inbox'}`} label={title} />
            <ProblemBoundary key={threadID}>
              <LoadingBoundary>
                <ThreadPage threadID={threadID} messageID={messageID} />
              </LoadingBoundary>
            </ProblemBoundary>
          </>
        ) : (
          <Welcome {...welcome} />
        )}
      </div>
    </div>
  )
}

type Filter = 'all' | 'unread'
type Props = { filter: Filter; onChange: (filter: Filter) => void }

function ThreadFilterControl({ filter, onChange }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show threads"
      value={filter}
      onChange={(value) => onChange(value as Filter)}
      data={[
        { value: 'all', label: 'All' },
        { value: 'unread', label: 'Unread' },
      ]}
    />
  )
}

/** Sets the title of the tab to the name of the list. While a thread is open, the thread sets the title. */
function ThreadListTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}

/** The DMs of the person, with the latest activity first. */
function DirectMessages() {
  const { listVersion } = useViewer()
  const query = useQuery<inboxPageDirectMessagesQuery>(
    graphql`query inboxPageDirectMessagesQuery($filter: ThreadFilter) { ...useThreads_query @arguments(filter: $filter) }`,
    { filter: directMessages },
    { fetchKey: listVersion, fetchPolicy: 'store-and-network' },
  )
  const { threads, hasNext, loadNext } = useThreads(query)
  return (
    <ThreadList
      name="dms"
      threads={threads}
      loaded={threads}
      empty="No direct messages yet. To start one, select a person above."
      onEnd={() => hasNext && loadNext(50)}
    />
  )
}
