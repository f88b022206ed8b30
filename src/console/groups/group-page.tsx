import { useRef } from 'react'
import { graphql } from 'react-relay/hooks'
import { Navigate, useParams } from 'react-router'
import type { groupPageQuery } from '../../generated/console/groupPageQuery.graphql.ts'
import { useMarkAllRead } from '../inbox/mark-all-read.tsx'
import { OpenThread, Panes } from '../inbox/panes.tsx'
import { useThreadKeys } from '../inbox/use-thread-keys.ts'
import { BackLink } from '../page/header.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { useIsNarrow } from '../page/widths.ts'
import { useReloadedQuery } from '../relay/use-query.ts'
import { useMembersChange } from '../session/members-change.ts'
import { useViewer } from '../session/viewer.ts'
import { GroupHeader } from './group-header.tsx'
import { GroupThreads, LiveGroupThreads } from './group-threads.tsx'

/** A group with its threads, and the one that is open. If the window has room for it, this is the chat by default. */
export default function GroupPage() {
  const { workspaceID, groupID = '', threadID, messageID } = useParams()
  const { listVersion } = useViewer()
  const [{ group, latestEventCursor }, reload] = useReloadedQuery<groupPageQuery>(
    graphql`
      query groupPageQuery($groupID: ID!) {
        latestEventCursor
        group(id: $groupID) {
          id name isMuted viewerRole
          chat { id ...threadRow_thread }
          ...groupHeader_group
        }
      }
    `,
    { groupID },
    listVersion,
  )
  useMembersChange(groupID, reload)
  const after = useFirst(latestEventCursor, groupID)
  const { markAllRead, notice } = useMarkAllRead(group?.id)
  const isNarrow = useIsNarrow()
  const chatID = group?.chat?.id
  const openID = threadID ?? (isNarrow ? undefined : chatID)
  useThreadKeys(openID, () => group?.viewerRole && markAllRead())
  if (!group) return <NotFound what="Group" />
  const path = `/${workspaceID}/groups/${group.id}`
  // The ID of the workspace also names the General group.
  if (group.id !== groupID) return <Navigate to={path} replace />
  const isTitle = openID === undefined || openID === chatID
  return (
    <Panes
      label={`Threads of ${group.name}`}
      isOpen={threadID !== undefined}
      list={
        <>
          <BackLink to={`/${workspaceID}/groups`} label="Groups" />
          <GroupHeader
            group={group}
            order={isTitle ? 1 : 2}
            isPage={openID === undefined}
            onMarkAllRead={markAllRead}
          />
          <GroupThreads
            key={group.id}
            groupID={group.id}
            chat={group.chat}
            openID={openID}
            order={isTitle ? 2 : 3}
          />
          {notice}
          {(!group.viewerRole || group.isMuted) && (
            <LiveGroupThreads key={`live-${group.id}`} groupID={group.id} after={after} reload={reload} />
          )}
        </>
      }
    >
      {openID !== undefined && (
        <>
          <BackLink to={path} label={group.name} />
          <OpenThread key={openID} threadID={openID} messageID={messageID} />
        </>
      )}
    </Panes>
  )
}

/**
 * Returns the value that was current when `version` last changed. Other queries write a later cursor to the Relay
 * store. A subscription after that cursor would skip events.
 */
function useFirst<T>(value: T, version: string | number): T {
  const first = useRef({ value, version })
  if (first.current.version !== version) first.current = { value, version }
  return first.current.value
}
