import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { peoplePageQuery } from '../../../generated/console/peoplePageQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { useMembersChange } from '../../session/members-change.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { DeactivatedPeople } from './deactivated-people.tsx'
import { InviteForm } from './invite-form.tsx'
import { PeopleList } from './people-list.tsx'

export function PeoplePage() {
  const { workspaceID = '' } = useParams()
  const [fetchKey, setFetchKey] = useState(0)
  const reload = () => setFetchKey((key) => key + 1)
  useMembersChange(workspaceID, reload)
  const { viewer, group, workspace } = useQuery<peoplePageQuery>(
    graphql`
      query peoplePageQuery($workspaceID: ID!) {
        viewer { permissions user { id } }
        group(id: $workspaceID) { id ...peopleList_group }
        workspace(id: $workspaceID) { ...deactivatedPeople_workspace }
      }
    `,
    { workspaceID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const isAdmin = viewer?.permissions.includes('managePeople') ?? false
  return (
    <div>
      <PageHeader title="People">
        {isAdmin
          ? 'Admins can change the workspace and manage its people, apps and webhooks.'
          : 'Only admins can invite and remove people.'}
      </PageHeader>
      {isAdmin && (
        <Section title="Invite a person">
          <InviteForm workspaceID={workspaceID} onInvited={reload} />
        </Section>
      )}
      <Section title="People of this workspace">
        {group && <PeopleList group={group} isAdmin={isAdmin} viewerID={viewer?.user.id ?? ''} />}
      </Section>
      {isAdmin && workspace && <DeactivatedPeople workspace={workspace} onRestored={reload} />}
    </div>
  )
}
