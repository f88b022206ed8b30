import { Text, Title } from '@mantine/core'
import { useMemo, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import type { groupThreadsLiveSubscription } from '../../generated/console/groupThreadsLiveSubscription.graphql.ts'
import type { threadRow_thread$key } from '../../generated/console/threadRow_thread.graphql.ts'
import { nothingFailed, useFilteredThreads } from '../inbox/list/filtered-threads.tsx'
import { placeThread } from '../inbox/list/place-thread.ts'
import { ThreadList } from '../inbox/list/thread-list.tsx'
import { failedGroupThreads, failedThreads, groupThreads } from '../inbox/list/thread-lists.ts'
import { ThreadRow } from '../inbox/list/thread-row.tsx'
import { ThreadTabs } from '../inbox/list/thread-tabs.tsx'
import { RowBones } from '../page/bones.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { useStream } from '../relay/use-stream.ts'
import styles from './group-page.module.css'

const filters = [
  ['all', 'All'],
  ['failed', 'Failed'],
] as const
type Filter = (typeof filters)[number][0]

type Props = {
  groupID: string
  chat: (threadRow_thread$key & { readonly id: string }) | null | undefined
  openID: string | undefined
  /** The level of the heading above the list. */
  order: 2 | 3
}

/** The chat of a group, followed by the other threads of the group with the latest activity first. */
export function GroupThreads({ groupID, chat, openID, order }: Props) {
  const [filter, setFilter] = useState<Filter>('all')
  return (
    <>
      {chat ? (
        <ThreadRow thread={chat} list="group" isOpen={chat.id === openID} />
      ) : (
        <Text px="var(--s-4)" c="dimmed">
          Join the group to read its messages.
        </Text>
      )}
      <div className={styles.threads}>
        <Title order={order} className={styles.heading ?? ''}>
          Threads
        </Title>
        <ThreadTabs filters={filters} filter={filter} onChange={setFilter} />
      </div>
      <ProblemBoundary>
        <LoadingBoundary placeholder={<RowBones />}>
          {filter === 'all' ? <AllThreads groupID={groupID} /> : <FailedThreads groupID={groupID} />}
        </LoadingBoundary>
      </ProblemBoundary>
    </>
  )
}

function AllThreads({ groupID }: { groupID: string }) {
  const { threads, onEnd } = useThreadsOfGroup(groupID, groupThreads(groupID))
  return (
    <ThreadList
      name="group"
      threads={threads}
      loaded={threads}
      empty="The group has no threads yet."
      onEnd={onEnd}
    />
  )
}

/** A thread whose state changes leaves the list. */
function FailedThreads({ groupID }: { groupID: string }) {
  const { threads, onEnd } = useThreadsOfGroup(groupID, failedGroupThreads(groupID))
  return (
    <ThreadList
      name="group"
      threads={threads.filter(({ state }) => state === failedThreads.state)}
      loaded={threads}
      empty={nothingFailed}
      onEnd={onEnd}
    />
  )
}

/** A thread from whose recipients the group is removed leaves the list. */
function useThreadsOfGroup(groupID: string, filter: Parameters<typeof useFilteredThreads>[0]) {
  const { threads, onEnd } = useFilteredThreads(filter)
  const hasGroup = ({ recipients }: (typeof threads)[number]) =>
    recipients?.pageInfo.hasNextPage || recipients?.nodes.some(({ id }) => id === groupID)
  return { threads: threads.filter(hasGroup), onEnd }
}

type Live = { groupID: string; after: string | null | undefined; reload: () => void }

/**
 * Keeps the threads of a group current that do not concern the person, and are therefore not in the inbox stream. `after`
 * is a cursor from before the threads were loaded. Shows nothing.
 */
export function LiveGroupThreads({ groupID, after, reload }: Live) {
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription groupThreadsLiveSubscription($groupID: ID!, $after: String) {
          events(
            groupID: $groupID
            after: $after
            types: [
              messageCreated, messageUpdated, messageDeleted, threadCreated, threadUpdated
              recipientsAdded, recipientsRemoved
            ]
          ) {
            cursor
            thread {
              id messageCount isPeristentChat state isMine isFollowed
              all: recipients(first: 100) { nodes { __typename id } }
              ...threadRow_thread
            }
          }
        }
      `,
      variables: { groupID },
      updater: (store: RecordSourceSelectorProxy) =>
        placeThread(store, store.getRootField('events')?.getLinkedRecord('thread')),
    }),
    [groupID],
  )
  useStream<groupThreadsLiveSubscription>(config, { after, reload })
  return null
}
