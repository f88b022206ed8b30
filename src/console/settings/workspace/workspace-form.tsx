import { Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { workspaceForm_workspace$key } from '../../../generated/console/workspaceForm_workspace.graphql.ts'
import type { workspaceFormMutation } from '../../../generated/console/workspaceFormMutation.graphql.ts'
import { Form } from '../parts/form.tsx'
import { useCommit } from '../parts/use-commit.ts'

type Props = { workspace: workspaceForm_workspace$key; isReadOnly: boolean }

const texts = [
  { field: 'name', label: 'Name', description: '' },
  { field: 'avatarURL', label: 'Picture', description: 'The URL of a picture.' },
  {
    field: 'emailDomain',
    label: 'Email domain',
    description: 'The domain of the email addresses of the people, such as example.com.',
  },
] as const

const switches = [
  { field: 'customAppsEnabled', label: 'Apps can be created in this workspace' },
  { field: 'membersMayCreateApps', label: 'Members can create apps, and manage the apps that they created' },
  {
    field: 'membersMayCreateWebhooks',
    label: 'Members can create webhooks, and manage the webhooks that they created',
  },
] as const

export function WorkspaceForm({ workspace, isReadOnly }: Props) {
  const { id, ...saved } = useFragment(
    graphql`
      fragment workspaceForm_workspace on Workspace {
        id name avatarURL emailDomain customAppsEnabled membersMayCreateApps membersMayCreateWebhooks
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
  const change = (changes: Partial<typeof values>) => {
    setValues({ ...values, ...changes })
    setSaved(false)
  }
  const save = () => {
    const {
      name,
      avatarURL,
      emailDomain,
      customAppsEnabled,
      membersMayCreateApps,
      membersMayCreateWebhooks,
    } = values
    run(
      {
        input: {
          workspaceID: id,
          name,
          avatarURL: avatarURL || null,
          emailDomain: emailDomain || null,
          customAppsEnabled,
          membersMayCreateApps,
          membersMayCreateWebhooks,
        },
      },
      { onDone: () => setSaved(true) },
    )
  }
  const fields = (
    <Stack gap="sm">
      {texts.map(({ field, label, description }) => (
        <TextInput
          key={field}
          label={label}
          description={description}
          readOnly={isReadOnly}
          value={values[field] ?? ''}
          onChange={(event) => change({ [field]: event.currentTarget.value })}
        />
      ))}
      {switches.map(({ field, label }) => (
        <Switch
          key={field}
          label={label}
          disabled={isReadOnly}
          checked={values[field]}
          onChange={(event) => change({ [field]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  )
  if (isReadOnly) return <Stack mt="md">{fields}</Stack>
  return (
    <Stack mt="md">
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
    </Stack>
  )
}
