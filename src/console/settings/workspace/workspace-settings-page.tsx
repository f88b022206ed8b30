import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { workspaceSettingsPageQuery } from '../../../generated/console/workspaceSettingsPageQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

export function WorkspaceSettingsPage() {
  const { workspaceID = '' } = useParams()
  const { viewer, workspace } = useQuery<workspaceSettingsPageQuery>(
    graphql`
      query workspaceSettingsPageQuery($workspaceID: ID!) {
        viewer { permissions }
        workspace(id: $workspaceID) { id ...workspaceForm_workspace }
      }
    `,
    { workspaceID },
    { fetchPolicy: 'store-and-network' },
  )
  const isAdmin = viewer?.permissions.includes('manageWorkspace') ?? false
  return (
    <div>
      <PageHeader title="Workspace">
        {isAdmin
          ? 'These settings apply to everyone in the workspace.'
          : 'Only admins can change these settings.'}
      </PageHeader>
      <Section title="Name and permissions">
        {workspace && <WorkspaceForm workspace={workspace} isReadOnly={!isAdmin} />}
      </Section>
    </div>
  )
}
