import { useEffect, useState } from 'react'
import { RelayEnvironmentProvider } from 'react-relay/hooks'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { createEnvironment } from '../relay/environment.ts'
import { openSocket } from '../relay/socket.ts'
import { SocketContext } from './live/connection.ts'
import { MissingWorkspace } from './missing/missing-workspace.tsx'
import { WorkspaceBoundary } from './missing/workspace-boundary.tsx'
import { WorkspaceLayout } from './workspace-layout.tsx'

/** One workspace with its own data and connection. */
export function WorkspacePage({ workspaceID }: { workspaceID: string }) {
  const [isMissing, setMissing] = useState(false)
  const [{ socket, environment }] = useState(() => {
    const socket = openSocket(workspaceID)
    const onMissing = () => setMissing(true)
    return { socket, environment: createEnvironment({ workspaceID, socket, onMissing }) }
  })
  useEffect(() => socket.close, [socket])
  if (isMissing) return <MissingWorkspace workspaceID={workspaceID} />
  return (
    <RelayEnvironmentProvider environment={environment}>
      <SocketContext value={socket}>
        <WorkspaceBoundary workspaceID={workspaceID}>
          <ProblemBoundary>
            <LoadingBoundary>
              <WorkspaceLayout workspaceID={workspaceID} />
            </LoadingBoundary>
          </ProblemBoundary>
        </WorkspaceBoundary>
      </SocketContext>
    </RelayEnvironmentProvider>
  )
}
