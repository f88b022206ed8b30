import { Navigate, Route, Routes } from 'react-router'
import { NotFound } from '../page/problems/not-found.tsx'
import { AppPage } from './apps/app-page.tsx'
import { AppsPage } from './apps/apps-page.tsx'
import { InstallAppPage } from './apps/installations/install-app-page.tsx'
import { NewAppPage } from './apps/registration/new-app-page.tsx'
import { EndpointPage } from './endpoints/endpoint-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { ProfilePage } from './profile/profile-page.tsx'
import { NewWebhookPage } from './webhooks/new-webhook-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WorkspaceSettingsPage } from './workspace/workspace-settings-page.tsx'

export function SettingsRoutes() {
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
