import './styles.ts'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { refuseFiles } from './page/refuse-files.ts'
import { MissingWorkspaceError } from './relay/missing-workspace.ts'
import { Theme } from './theme.tsx'

refuseFiles()
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
