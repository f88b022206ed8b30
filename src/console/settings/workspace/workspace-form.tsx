import { graphql, useFragment } from 'react-relay/hooks'
import type { workspaceForm_workspace$key } from '../../../generated/console/workspaceForm_workspace.graphql.ts'
import type { workspaceFormMutation } from '../../../generated/console/workspaceFormMutation.graphql.ts'
import { Form } from '../../page/forms/form.tsx'
import { useEdited } from '../../page/forms/use-edited.ts'
import { useAction } from '../../relay/use-action.ts'
import { WorkspaceFields } from './workspace-fields.tsx'

type Props = { workspace: workspaceForm_workspace$key; isReadOnly: boolean }

export function WorkspaceForm({ workspace, isReadOnly }: Props) {
  const { id, ...saved } = useFragment(
    graphql`
      fragment workspaceForm_workspace on Workspace {
        id name avatarURL customAppsEnabled membersMayCreateApps membersMayCreateWebhooks
      }
    `,
    workspace,
  )
  const { values, changed, change, markSaved, state } = useEdited({
    ...saved,
    avatarURL: saved.avatarURL ?? '',
  })
  const { run, isRunning, problem } = useAction<workspaceFormMutation>(graphql`
    mutation workspaceFormMutation($input: UpdateWorkspaceInput!) {
      updateWorkspace(input: $input) { workspace { id ...workspaceForm_workspace ...navigation_workspace } }
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
