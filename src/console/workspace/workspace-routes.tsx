import { Navigate, Route, Routes } from 'react-router'
import { UnsentPage } from '../composer/outbox/unsent-page.tsx'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { PanesBones } from '../inbox/panes.tsx'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { SmallPart } from '../page/lazy/small-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { NotFound } from '../page/problems/problem.tsx'
import { SidePins } from './sections/side-pins.tsx'

const DraftsPage = lazyPart(() => import('../inbox/drafts-page.tsx'))
const GroupPage = lazyPart(() => import('../groups/group-page.tsx'))
const GroupsPage = lazyPart(() => import('../groups/groups-page.tsx'))
const MentionsPage = lazyPart(() => import('../inbox/mentions-page.tsx'))
const NewGroupPage = lazyPart(() => import('../groups/new-group-page.tsx'))
const NewThreadPage = lazyPart(() => import('../new-thread/new-thread-page.tsx'))
const SearchPage = lazyPart(() => import('../search/search-page.tsx'))
const SettingsPage = lazyPart(() => import('../settings/settings-page.tsx'))

/** The pages of a workspace. Paths are relative to the workspace. On a phone, the page of groups has the pins. */
export function WorkspaceRoutes({ isPhone }: { isPhone: boolean }) {
  const pins = isPhone && (
    <SmallPart>
      <SidePins />
    </SmallPart>
  )
  const group = (
    <LoadingBoundary placeholder={<PanesBones />}>
      <GroupPage />
    </LoadingBoundary>
  )
  return (
    <Routes>
      <Route index element={<Navigate to="inbox" replace />} />
      <Route path="inbox" element={<InboxPage />} />
      <Route path="dms" element={<InboxPage />} />
      <Route path="threads/:threadID/:messageID?" element={<InboxPage />} />
      <Route path="mentions" element={<MentionsPage />} />
      <Route path="drafts" element={<DraftsPage />} />
      <Route path="groups" element={<GroupsPage pins={pins} withUnread={isPhone} />} />
      <Route path="groups/new" element={<NewGroupPage />} />
      <Route path="groups/:groupID" element={group} />
      <Route path="groups/:groupID/threads/:threadID/:messageID?" element={group} />
      <Route path="new" element={<NewThreadPage />} />
      <Route path="unsent" element={<UnsentPage />} />
      <Route path="search" element={<SearchPage />} />
      <Route path="settings/*" element={<SettingsPage />} />
      <Route path="*" element={<NotFound what="Page" />} />
    </Routes>
  )
}
