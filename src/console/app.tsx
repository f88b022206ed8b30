import { Navigate, Route, Routes, useParams } from 'react-router'
import { Problem } from './page/problem.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

/** The server redirects `/` to a workspace of the person. Therefore each path begins with the ID of a workspace. */
export function App() {
  return (
    <Routes>
      <Route path="/:workspaceID/*" element={<CurrentWorkspace />} />
      <Route path="*" element={<Problem title="Page not found" text="There is nothing at this address." />} />
    </Routes>
  )
}

function CurrentWorkspace() {
  const { workspaceID = '' } = useParams()
  return workspaceID.startsWith('wks_') ? (
    <WorkspacePage key={workspaceID} workspaceID={workspaceID} />
  ) : (
    <Navigate to="/" replace />
  )
}
