import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { NotFound } from '../page/not-found.tsx'

const GroupPage = lazy(() => import('../groups/group-page.tsx'))
const GroupsPage = lazy(() => import('../groups/groups-page.tsx'))
const NewGroupPage = lazy(() => import('../groups/new-group-page.tsx'))
const NewThreadPage = lazy(() => import('../new-thread/new-thread-page.tsx'))
const SearchPage = lazy(() => import('../search/search-page.tsx'))
const SettingsPage = lazy(() => import('../settings/settings-page.tsx'))

/** The pages of a workspace. Paths are relative to the workspace. */
export function WorkspaceRoutes() {
  return (
    <Routes>
      <Route index element={<Navigate to="inbox" replace />} />
      <Route path="inbox" element={<InboxPage />} />
      <Route path="dms" element={<InboxPage />} />
      <Route path="threads/:threadID/:messageID?" element={<InboxPage />} />
      <Route path="groups" element={<GroupsPage />} />
      <Route path="groups/new" element={<NewGroupPage />} />
      <Route path="groups/:groupID" element={<GroupPage />} />
      <Route path="new" element={<NewThreadPage />} />
      <Route path="search" element={<SearchPage />} />
      <Route path="settings/*" element={<SettingsPage />} />
      <Route path="*" element={<NotFound what="Page" />} />
    </Routes>
  )
}
