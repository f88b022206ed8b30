import { Box, SegmentedControl, Title } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { BackLink, Header } from '../page/header.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { ThreadPage } from '../thread/thread-page.tsx'
import { DirectMessages, FailedThreads } from './list/filtered-threads.tsx'
import { InboxThreads } from './list/inbox-threads.tsx'
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
  const [filter, setFilter] = useState<Filter>('all')
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
            {isDMs ? <DirectMessages /> : <FilteredThreads filter={filter} />}
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

type Filter = 'all' | 'unread' | 'failed'
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
        { value: 'failed', label: 'Failed' },
      ]}
    />
  )
}

function FilteredThreads({ filter }: { filter: Filter }) {
  if (filter === 'failed') return <FailedThreads />
  return <InboxThreads key={filter} isOnlyUnread={filter === 'unread'} />
}

/** Sets the title of the tab to the name of the list. While a thread is open, the thread sets the title. */
function ThreadListTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}
