import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { workspaceForm_workspace$key } from '../../../generated/console/workspaceForm_workspace.graphql.ts'
import type { workspaceFormMutation } from '../../../generated/console/workspaceFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'
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
  const [values, setValues] = useState(saved)
  const [isSaved, setSaved] = useState(false)
  const { run, isBusy, problem } = useCommit<workspaceFormMutation>(graphql`
    mutation workspaceFormMutation($input: UpdateWorkspaceInput!) {
      updateWorkspace(input: $input) { workspace { id ...workspaceForm_workspace ...navigation_workspace } }
    }
  `)
  const fields = (
    <WorkspaceFields
      values={values}
      isReadOnly={isReadOnly}
      onChange={(changes) => {
        setValues({ ...values, ...changes })
        setSaved(false)
      }}
    />
  )
  if (isReadOnly) return fields
  const save = () =>
    run(
      { input: { ...values, workspaceID: id, avatarURL: values.avatarURL || null } },
      { onDone: () => setSaved(true) },
    )
  return (
    <Form
      action="Save"
      onSubmit={save}
      problem={problem}
      isBusy={isBusy}
      isSaved={isSaved}
      isDisabled={values.name.trim() === ''}
    >
      {fields}
    </Form>
  )
}
