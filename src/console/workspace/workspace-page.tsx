import { Suspense, useEffect, useState } from 'react'
import { RelayEnvironmentProvider } from 'react-relay/hooks'
import { Loading } from '../page/loading.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'
import { createEnvironment } from '../relay/environment.ts'
import { openSocket } from '../relay/socket.ts'
import { SocketContext } from './connection.ts'
import { WorkspaceLayout } from './workspace-layout.tsx'

/** One workspace with its own data and connection. */
export function WorkspacePage({ workspaceID }: { workspaceID: string }) {
  const [{ socket, environment }] = useState(() => {
    const socket = openSocket(workspaceID)
    return { socket, environment: createEnvironment(workspaceID, socket) }
  })
  useEffect(() => socket.close, [socket])
  return (
    <RelayEnvironmentProvider environment={environment}>
      <SocketContext value={socket}>
        <ProblemBoundary>
          <Suspense fallback={<Loading />}>
            <WorkspaceLayout workspaceID={workspaceID} />
          </Suspense>
        </ProblemBoundary>
      </SocketContext>
    </RelayEnvironmentProvider>
  )
}
