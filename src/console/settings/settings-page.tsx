import { Link, Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { AppPage } from './apps/app-page.tsx'
import { AppsPage } from './apps/apps-page.tsx'
import { InstallAppPage } from './apps/installations/install-app-page.tsx'
import { NewAppPage } from './apps/registration/new-app-page.tsx'
import { EndpointPage } from './endpoints/endpoint-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { ProfilePage } from './profile/profile-page.tsx'
import styles from './settings.module.css'
import { NewWebhookPage } from './webhooks/new-webhook-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WorkspaceSettingsPage } from './workspace/workspace-settings-page.tsx'

export default function SettingsPage() {
  return (
    <div className={styles.page}>
      <SettingsMenu />
      <div className={styles.content}>
        <ProblemBoundary>
          <LoadingBoundary>
            <SettingsRoutes />
          </LoadingBoundary>
        </ProblemBoundary>
      </div>
    </div>
  )
}

const noPages: string[] = []
const pages = [
  { path: 'profile', label: 'Profile', contains: noPages },
  { path: 'workspace', label: 'Workspace', contains: noPages },
  { path: 'people', label: 'People', contains: noPages },
  { path: 'apps', label: 'Apps', contains: ['webhooks', 'endpoints'] },
]

/** The menu of the settings pages: a column, or a row of tabs on a phone. */
function SettingsMenu() {
  const { workspaceID } = useParams()
  const current = useLocation().pathname.split('/')[3] ?? ''
  return (
    <nav className={styles.menu} aria-label="Settings">
      {pages.map(({ path, label, contains }) => (
        <Link
          key={path}
          className={styles.link}
          to={`/${workspaceID}/settings/${path}`}
          aria-current={[path, ...contains].includes(current) ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

function SettingsRoutes() {
  return (
    <Routes>
      <Route index element={<Navigate to="profile" replace />} />
      <Route path="profile" element={<ProfilePage />} />
      <Route path="workspace" element={<WorkspaceSettingsPage />} />
      <Route path="people" element={<PeoplePage />} />
      <Route path="apps" element={<AppsPage />} />
      <Route path="apps/new" element={<NewAppPage />} />
      <Route path="apps/install" element={<InstallAppPage />} />
      <Route path="apps/:appID" element={<AppPage />} />
      <Route path="webhooks/new" element={<NewWebhookPage />} />
      <Route path="webhooks/:webhookID" element={<WebhookPage />} />
      <Route path="endpoints/:endpointID" element={<EndpointPage />} />
      <Route path="*" element={<NotFound what="Page" />} />
    </Routes>
  )
}
