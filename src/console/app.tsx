import { Route, Routes, useParams } from 'react-router'
import { NotFound } from './page/problems/not-found.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

/** Shows the workspace whose ID is the first segment of the path. The server redirects `/` to a workspace of the person. */
export function App() {
  return (
    <Routes>
      <Route path="/:workspaceID/*" element={<CurrentWorkspace />} />
      <Route path="*" element={<NotFound what="Page" />} />
    </Routes>
  )
}

function CurrentWorkspace() {
  const { workspaceID = '' } = useParams()
  return <WorkspacePage key={workspaceID} workspaceID={workspaceID} />
}
