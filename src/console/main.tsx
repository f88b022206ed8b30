import '@fontsource-variable/ibm-plex-sans/wght.css'
import '@fontsource/ibm-plex-mono/400.css'
import '@fontsource/ibm-plex-mono/600.css'
import '@mantine/core/styles.css'
import './styles.css'
import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, Route, Routes, useParams } from 'react-router'
import { showCutText } from './page/cut-text.ts'
import { NotFound } from './page/problems/problem.tsx'
import { refuseFiles } from './page/refuse-files.ts'
import { MissingWorkspaceError } from './relay/missing-workspace.ts'
import { Theme } from './theme.tsx'
import { WorkspacePage } from './workspace/workspace-page.tsx'

refuseFiles()
showCutText()
// The account page has no scripts, and shows times in this zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
// biome-ignore lint/suspicious/noDocumentCookie: Some of the supported browsers have no Cookie Store API.
document.cookie = `time-zone=${timeZone}; path=/; max-age=31536000; samesite=lax`
const root = document.getElementById('root')
if (!root) throw new Error('The page has no root element')
// A missing workspace is not logged, because the page explains it. All other errors are logged.
const onCaughtError = (error: unknown) => {
  // biome-ignore lint/suspicious/noConsole: Only the console shows where an error happened.
  if (!(error instanceof MissingWorkspaceError)) console.error(error)
}
createRoot(root, { onCaughtError }).render(
  <Theme>
    <BrowserRouter>
      <App />
    </BrowserRouter>
  </Theme>,
)

/** Shows the workspace whose ID is the first segment of the path. The server redirects `/` to a workspace of the person. */
function App() {
  useLayoutEffect(() => document.querySelector('.opening')?.remove(), [])
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
