import { Component, type ReactNode, useEffect, useState } from 'react'
import { RelayEnvironmentProvider } from 'react-relay/hooks'
import { useMatch } from 'react-router'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { createEnvironment } from '../relay/environment.ts'
import { MissingWorkspaceError } from '../relay/missing-workspace.ts'
import { leaveIfSignedOut } from '../relay/post.ts'
import { openSocket } from '../relay/socket.ts'
import { ConnectionContext } from '../session/connection.ts'
import { openingPlace } from '../thread/use-place.ts'
import { OpenedAtContext, useEarlyThread } from '../thread/use-thread.ts'
import { MissingWorkspace } from './missing-workspace.tsx'
import { WorkspaceLayout } from './workspace-layout.tsx'

type Props = { workspaceID: string; children: ReactNode }
type State = { error: unknown }

/** Shows that the workspace was not found. The person may also be removed from the workspace while the page is open. */
class WorkspaceBoundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error instanceof MissingWorkspaceError)
      return <MissingWorkspace workspaceID={this.props.workspaceID} />
    if (error !== null) throw error
    return this.props.children
  }
}

/** One workspace with its own data and connection. */
export function WorkspacePage({ workspaceID }: { workspaceID: string }) {
  const [isMissing, setMissing] = useState(false)
  const [{ socket, environment, unread }] = useState(() => {
    const socket = openSocket(workspaceID)
    const onMissing = () => setMissing(true)
    return { socket, ...createEnvironment({ workspaceID, socket, onMissing }) }
  })
  const [openedAt] = useState(() => performance.now())
  useEffect(() => socket.close, [socket])
  useEffect(() => leaveIfSignedOut(workspaceID), [workspaceID])
  if (isMissing) return <MissingWorkspace workspaceID={workspaceID} />
  return (
    <RelayEnvironmentProvider environment={environment}>
      <ConnectionContext value={socket}>
        <OpenedAtContext value={openedAt}>
          <WorkspaceBoundary workspaceID={workspaceID}>
            <ProblemBoundary>
              <LoadingBoundary placeholder={<div className="opening" />} meanwhile={<EarlyThread />}>
                <WorkspaceLayout workspaceID={workspaceID} unread={unread} />
              </LoadingBoundary>
            </ProblemBoundary>
          </WorkspaceBoundary>
        </OpenedAtContext>
      </ConnectionContext>
    </RelayEnvironmentProvider>
  )
}

/** Loads the thread of the URL while the workspace loads. The page of the thread uses the same result. */
function EarlyThread() {
  const inInbox = useMatch('/:workspaceID/threads/:threadID/:messageID?')
  const inGroup = useMatch('/:workspaceID/groups/:groupID/threads/:threadID/:messageID?')
  const { threadID, messageID } = (inInbox ?? inGroup)?.params ?? {}
  if (threadID === undefined) return null
  return (
    <SmallPart>
      <EarlyQuery threadID={threadID} messageID={messageID} />
    </SmallPart>
  )
}

function EarlyQuery({ threadID, messageID }: { threadID: string; messageID: string | undefined }) {
  useEarlyThread(threadID, openingPlace(messageID))
  return null
}
