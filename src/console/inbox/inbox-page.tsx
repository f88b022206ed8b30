import { Anchor, Box, Group, Title } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { Loading } from '../page/loading.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import { ThreadPage } from '../thread/thread-page.tsx'
import styles from '../workspace/workspace.module.css'
import { ThreadFilterControl } from './thread-filter-control.tsx'
import { ThreadList } from './thread-list.tsx'
import { ThreadListTitle } from './thread-list-title.tsx'
import { Welcome } from './welcome.tsx'

const NewDirectMessage = lazy(() => import('../people/new-direct-message.tsx'))

/** The threads or direct messages of the person, and the thread that is open. */
export function InboxPage() {
  const { workspaceID, threadID, messageID } = useParams()
  const { pathname, state } = useLocation()
  const isDMs = pathname.split('/')[2] === 'dms' || (threadID !== undefined && state?.list === 'dms')
  const [filter, setFilter] = useState<'all' | 'unread'>('all')
  const title = isDMs ? 'Direct messages' : 'Inbox'
  return (
    <div className={styles.panes} data-shows={threadID ? 'detail' : 'list'}>
      <section className={styles.list} aria-label={title}>
        {!threadID && <ThreadListTitle title={title} />}
        <Group px="md" py="xs" justify="space-between">
          <Title order={threadID ? 2 : 1} size="h4">
            {title}
          </Title>
          {!isDMs && <ThreadFilterControl filter={filter} onChange={setFilter} />}
        </Group>
        {!isDMs && (
          <Box hiddenFrom="md">
            <Welcome />
          </Box>
        )}
        {isDMs && (
          <Suspense>
            <NewDirectMessage />
          </Suspense>
        )}
        <ProblemBoundary>
          <Suspense fallback={<Loading />}>
            <ThreadList name={isDMs ? 'dms' : filter} key={isDMs ? 'dms' : filter} />
          </Suspense>
        </ProblemBoundary>
      </section>
      <div className={styles.detail}>
        {threadID ? (
          <>
            <Anchor
              component={Link}
              to={`/${workspaceID}/${isDMs ? 'dms' : 'inbox'}`}
              hiddenFrom="md"
              size="sm"
              px="md"
              pt="xs"
            >
              ← {title}
            </Anchor>
            <ProblemBoundary key={threadID}>
              <Suspense fallback={<Loading />}>
                <ThreadPage threadID={threadID} messageID={messageID} />
              </Suspense>
            </ProblemBoundary>
          </>
        ) : (
          <Welcome />
        )}
      </div>
    </div>
  )
}
