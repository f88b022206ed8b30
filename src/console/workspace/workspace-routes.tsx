import { Navigate, Route, Routes } from 'react-router'
import { GroupHeader } from '../groups/group-header.tsx'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { GroupHeaderContext } from '../thread/thread-view.tsx'

const GroupPage = lazyPart(() => import('../groups/group-page.tsx'))
const GroupsPage = lazyPart(() => import('../groups/groups-page.tsx'))
const NewGroupPage = lazyPart(() => import('../groups/editing/new-group-page.tsx'))
const NewThreadPage = lazyPart(() => import('../new-thread/new-thread-page.tsx'))
const SearchPage = lazyPart(() => import('../search/search-page.tsx'))
const UnsentPage = lazyPart(() => import('../composer/outbox/unsent-page.tsx'))
const SettingsPage = lazyPart(() => import('../settings/settings-page.tsx'))

/** The pages of a workspace. Paths are relative to the workspace. */
export function WorkspaceRoutes() {
  return (
    <GroupHeaderContext value={GroupHeader}>
      <Routes>
        <Route index element={<Navigate to="inbox" replace />} />
        <Route path="inbox" element={<InboxPage />} />
        <Route path="dms" element={<InboxPage />} />
        <Route path="threads/:threadID/:messageID?" element={<InboxPage />} />
        <Route path="groups" element={<GroupsPage />} />
        <Route path="groups/new" element={<NewGroupPage />} />
        <Route path="groups/:groupID" element={<GroupPage />} />
        <Route path="new" element={<NewThreadPage />} />
        <Route path="unsent" element={<UnsentPage />} />
        <Route path="search" element={<SearchPage />} />
        <Route path="settings/*" element={<SettingsPage />} />
        <Route path="*" element={<NotFound what="Page" />} />
      </Routes>
    </GroupHeaderContext>
  )
}
