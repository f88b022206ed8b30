import { ActionIcon, Box, Group, Title } from '@mantine/core'
import { useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { RowBones } from '../page/bones.tsx'
import type { Count } from '../page/filter-tabs.tsx'
import { BackLink, Header, IconLink } from '../page/header.tsx'
import { Icon } from '../page/icon.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { useIsNarrow } from '../page/widths.ts'
import { useViewer } from '../session/viewer.ts'
import { DirectMessages, FailedThreads, FollowedThreads, PersonalThreads } from './list/filtered-threads.tsx'
import { InboxThreads } from './list/inbox-threads.tsx'
import { ThreadTabs } from './list/thread-tabs.tsx'
import { useMarkAllRead } from './mark-all-read.tsx'
import { Notice } from './notice.tsx'
import { OpenThread, Panes } from './panes.tsx'
import { useThreadKeys } from './use-thread-keys.ts'
import { SmallWelcome, useWelcome, Welcome } from './welcome.tsx'

const NewDirectMessage = lazyPart(() => import('./new-direct-message.tsx'))

const filters = [
  ['all', 'All'],
  ['personal', 'For you'],
  ['failed', 'Failed'],
  ['followed', 'Followed'],
] as const
type Filter = (typeof filters)[number][0]

const noThreads: Count = { value: 0, isMore: false }

/** Returns the tab of the list, and a function that changes it. A thread stores the list from which it was opened. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const { threadID } = useParams()
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const stored = threadID ? state?.list : (new URLSearchParams(search).get('tab') ?? 'all')
  const [last, setLast] = useState<{ stored: unknown; filter: Filter }>({ stored: null, filter: 'all' })
  const isNew = stored !== last.stored
  // A thread that was opened from elsewhere leaves the list as it is.
  const filter = (isNew && filters.find(([name]) => name === stored)?.[0]) || last.filter
  if (isNew) setLast({ stored, filter })
  const change = (next: Filter) => {
    // The address changes only when the list has loaded.
    setLast({ stored, filter: next })
    if (threadID) navigate(pathname + search, { replace: true, state: { ...state, list: next } })
    else navigate(pathOf(pathname, next), { replace: true, state })
  }
  return [filter, change]
}

function pathOf(inbox: string, filter: Filter): string {
  return filter === 'all' ? inbox : `${inbox}?tab=${filter}`
}

/** The threads or direct messages of the person, and the thread that is open. */
export function InboxPage() {
  const { workspaceID, threadID, messageID } = useParams()
  const { pathname, state } = useLocation()
  const isDMs = pathname.split('/')[2] === 'dms' || (threadID !== undefined && state?.list === 'dms')
  const [filter, setFilter] = useFilter()
  const welcome = useWelcome()
  const [failed, setFailed] = useState(noThreads)
  const title = isDMs ? 'Direct messages' : 'Inbox'
  const from = otherPageOf(state?.list) ?? { path: isDMs ? 'dms' : pathOf('inbox', filter), label: title }
  return (
    <Panes
      label={title}
      isOpen={threadID !== undefined}
      list={
        <InboxList
          title={title}
          isDMs={isDMs}
          filter={filter}
          onFilter={setFilter}
          failed={failed}
          onFailed={setFailed}
          welcome={welcome}
        />
      }
    >
      {threadID ? (
        <>
          <BackLink to={`/${workspaceID}/${from.path}`} label={from.label} />
          <OpenThread threadID={threadID} messageID={messageID} />
        </>
      ) : (
        <Welcome {...welcome} failed={isDMs ? noThreads : failed} onShowFailed={() => setFilter('failed')} />
      )}
    </Panes>
  )
}

/** Returns the page from which a message was opened, if it has no list of threads. The URL of a search has its words. */
function otherPageOf(list: unknown): { path: string; label: string } | null {
  if (list === 'mentions') return { path: list, label: 'Mentions' }
  if (typeof list === 'string' && list.startsWith('search')) return { path: list, label: 'Search' }
  return null
}

type Props = {
  title: string
  isDMs: boolean
  filter: Filter
  onFilter: (filter: Filter) => void
  failed: Count
  onFailed: (count: Count) => void
  welcome: ReturnType<typeof useWelcome>
}

function InboxList({ title, isDMs, filter, onFilter, failed, onFailed, welcome }: Props) {
  const { workspaceID, threadID } = useParams()
  const { unreadCount } = useViewer()
  const { markAllRead, notice } = useMarkAllRead()
  const isNarrow = useIsNarrow()
  useThreadKeys(threadID, markAllRead)
  return (
    <>
      {!threadID && <ThreadListTitle title={title} />}
      <Header>
        <Title order={threadID ? 2 : 1} size="h2">
          {title}
        </Title>
        {!isDMs && (
          <ActionIcon ms="auto" aria-label="Mark all as read" title="Mark all as read" onClick={markAllRead}>
            <Icon name="checks" />
          </ActionIcon>
        )}
        <Group gap={0} wrap="nowrap" hiddenFrom="sm">
          <IconLink to={`/${workspaceID}/mentions`} icon="mentions" label="Mentions" />
          <IconLink to={`/${workspaceID}/new`} icon="edit" label="New message" />
        </Group>
      </Header>
      {!isDMs && (
        <ThreadTabs
          filters={filters}
          filter={filter}
          onChange={onFilter}
          counts={{ personal: { value: unreadCount, isMore: false }, failed }}
        />
      )}
      {isDMs && (
        <SmallPart>
          <NewDirectMessage />
        </SmallPart>
      )}
      <ProblemBoundary>
        <LoadingBoundary placeholder={isDMs ? <RowBones /> : <RowBones title="Loading …" />}>
          {isDMs ? <DirectMessages /> : <FilteredThreads filter={filter} onFailed={onFailed} />}
        </LoadingBoundary>
      </ProblemBoundary>
      {!isDMs && (
        // The list that loads is shorter than the page.
        <Box mt="auto">
          {notice}
          {isNarrow && welcome.isShown ? (
            <SmallWelcome dismiss={welcome.dismiss} />
          ) : (
            <SmallPart>
              <Notice />
            </SmallPart>
          )}
        </Box>
      )}
    </>
  )
}

type ListProps = { filter: Filter; onFailed: (count: Count) => void }

function FilteredThreads({ filter, onFailed }: ListProps) {
  if (filter === 'personal') return <PersonalThreads />
  if (filter === 'failed') return <FailedThreads onCount={onFailed} />
  if (filter === 'followed') return <FollowedThreads />
  return <InboxThreads onFailed={onFailed} />
}

/** Sets the title of the tab to the name of the list. While a thread is open, the thread sets the title. */
function ThreadListTitle({ title }: { title: string }) {
  usePageTitle(title)
  return null
}
