import { Link, Navigate, Route, Routes, useLocation, useParams } from 'react-router'
import { Icon, PathIcon } from '../page/icon.tsx'
import { paths } from '../page/icon-paths.ts'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'
import { usePageTitle } from '../page/use-page-title.ts'
import { useIsPhone } from '../page/widths.ts'
import { useViewer } from '../session/viewer.ts'
import { AppPage } from './apps/app-page.tsx'
import { AppsPage } from './apps/apps-page.tsx'
import { InstallAppPage } from './apps/installations/install-app-page.tsx'
import { NewAppPage } from './apps/registration/new-app-page.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { EndpointPage } from './endpoints/endpoint-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { ProfilePage } from './profile/profile-page.tsx'
import styles from './settings.module.css'
import { NewWebhookPage } from './webhooks/new-webhook-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WorkspaceSettingsPage } from './workspace/workspace-settings-page.tsx'

/** The menu of the settings beside one of their pages. A phone shows one of both. */
export default function SettingsPage() {
  const { workspaceID, '*': path = '' } = useParams()
  const isPhone = useIsPhone()
  if (isPhone && path === '') return <SettingsMenu isPage />
  return (
    <div className={styles.page}>
      {isPhone ? (
        <Link className={styles.back ?? ''} to={`/${workspaceID}/settings`}>
          <Icon name="back" /> Settings
        </Link>
      ) : (
        <SettingsMenu />
      )}
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

/** From Tabler Icons (page/icon.LICENSE). */
const icons = {
  user: paths.user,
  building: 'M3 21h18M9 8h1M9 12h1M9 16h1M14 8h1M14 12h1M14 16h1M5 21v-16a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16',
  users: paths.users,
  webhook: paths.webhook,
  history: 'M12 8v4l2 2M3.1 11a9 9 0 1 1 .5 4m-.5 5v-5h5',
}
type SettingsPart = { path: string; label: string; icon: string; contains?: string[]; isForAdmins?: boolean }
const ownParts: SettingsPart[] = [{ path: 'profile', label: 'Profile', icon: icons.user }]
const workspaceParts: SettingsPart[] = [
  { path: 'workspace', label: 'General', icon: icons.building },
  { path: 'people', label: 'People', icon: icons.users },
  { path: 'apps', label: 'Apps', icon: icons.webhook, contains: ['webhooks', 'endpoints'] },
  { path: 'audit', label: 'Audit log', icon: icons.history, isForAdmins: true },
]

/** The links to the settings pages: a column beside them, or a page of its own. */
function SettingsMenu({ isPage = false }: { isPage?: boolean }) {
  const { permissions } = useViewer()
  const isAdmin = permissions.includes('manageWorkspace')
  return (
    <nav className={styles.menu} aria-label="Settings">
      {isPage ? <MenuTitle /> : <p className={styles.title}>Settings</p>}
      {ownParts.map((part) => (
        <MenuLink key={part.path} part={part} />
      ))}
      <p className={styles.label}>Workspace</p>
      {workspaceParts
        .filter(({ isForAdmins = false }) => isAdmin || !isForAdmins)
        .map((part) => (
          <MenuLink key={part.path} part={part} />
        ))}
    </nav>
  )
}

function MenuTitle() {
  usePageTitle('Settings')
  return <h1 className={styles.title}>Settings</h1>
}

function MenuLink({ part: { path, label, icon, contains = [] } }: { part: SettingsPart }) {
  const { workspaceID } = useParams()
  const current = useLocation().pathname.split('/')[3] ?? ''
  return (
    <Link
      className={styles.link}
      to={`/${workspaceID}/settings/${path}`}
      aria-current={[path, ...contains].includes(current) ? 'page' : undefined}
    >
      <PathIcon path={icon} size={16} />
      {label}
    </Link>
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
      <Route path="audit" element={<AuditPage />} />
      <Route path="*" element={<NotFound what="Page" />} />
    </Routes>
  )
}
