import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { workspaceSettingsPageForm_workspace$key } from '../../../generated/console/workspaceSettingsPageForm_workspace.graphql.ts'
import type { workspaceSettingsPageFormMutation } from '../../../generated/console/workspaceSettingsPageFormMutation.graphql.ts'
import type { workspaceSettingsPageQuery } from '../../../generated/console/workspaceSettingsPageQuery.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { useAction } from '../../relay/use-action.ts'
import { useQuery } from '../../relay/use-query.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { WorkspaceFields } from './workspace-fields.tsx'

export function WorkspaceSettingsPage() {
  const { workspaceID = '' } = useParams()
  const { viewer, workspace } = useQuery<workspaceSettingsPageQuery>(
    graphql`
      query workspaceSettingsPageQuery($workspaceID: ID!) {
        viewer { permissions }
        workspace(id: $workspaceID) { id ...workspaceSettingsPageForm_workspace }
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

type Props = { workspace: workspaceSettingsPageForm_workspace$key; isReadOnly: boolean }

function WorkspaceForm({ workspace, isReadOnly }: Props) {
  const { id, ...saved } = useFragment(
    graphql`
      fragment workspaceSettingsPageForm_workspace on Workspace {
        id name avatarURL customAppsEnabled membersMayCreateApps membersMayCreateWebhooks
      }
    `,
    workspace,
  )
  const { values, changed, change, markSaved, state } = useEdited({
    ...saved,
    avatarURL: saved.avatarURL ?? '',
  })
  const { run, isRunning, problem } = useAction<workspaceSettingsPageFormMutation>(graphql`
    mutation workspaceSettingsPageFormMutation($input: UpdateWorkspaceInput!) {
      updateWorkspace(input: $input) { workspace { id ...workspaceSettingsPageForm_workspace ...navigation_workspace } }
    }
  `)
  const fields = <WorkspaceFields values={values} isReadOnly={isReadOnly} onChange={change} />
  if (isReadOnly) return fields
  const save = () => {
    const { avatarURL, ...others } = changed
    const picture = avatarURL !== undefined && { avatarURL: avatarURL || null }
    run({ input: { workspaceID: id, ...others, ...picture } }, () => markSaved(changed))
  }
  return (
    <Form
      action="Save"
      onSubmit={save}
      problem={problem}
      isRunning={isRunning}
      edit={state}
      isDisabled={values.name.trim() === ''}
    >
      {fields}
    </Form>
  )
}
