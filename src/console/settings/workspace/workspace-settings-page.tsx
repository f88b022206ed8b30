import { Stack, Switch, Text, TextInput } from '@mantine/core'
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
      updateWorkspace(input: $input) { workspace { id ...workspaceSettingsPageForm_workspace ...sidebar_workspace } }
    }
  `)
  if (isReadOnly) return <WorkspaceFacts values={values} />
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
      <WorkspaceFields values={values} onChange={change} />
    </Form>
  )
}

type WorkspaceValues = {
  name: string
  avatarURL: string
  customAppsEnabled: boolean
  membersMayCreateApps: boolean
  membersMayCreateWebhooks: boolean
}

type WorkspaceFieldsProps = {
  values: WorkspaceValues
  onChange: (changes: Partial<WorkspaceValues>) => void
}

const switches = [
  { field: 'customAppsEnabled', label: 'Apps can be created in this workspace' },
  { field: 'membersMayCreateApps', label: 'Members can create apps and manage their own apps' },
  {
    field: 'membersMayCreateWebhooks',
    label: 'Members can create webhooks and manage their own webhooks',
  },
] as const

/** What a person reads who cannot change it. Fields would look as if they could. */
function WorkspaceFacts({ values }: { values: WorkspaceValues }) {
  const facts = [
    ['Name', values.name],
    ...(values.avatarURL ? [['Picture URL', values.avatarURL]] : []),
    ...switches.map(({ field, label }) => [label, values[field] ? 'yes' : 'no']),
  ]
  return (
    <Stack gap="sm">
      {facts.map(([label, value]) => (
        <Text key={label} size="sm">
          {label}: <strong>{value}</strong>
        </Text>
      ))}
    </Stack>
  )
}

function WorkspaceFields({ values, onChange }: WorkspaceFieldsProps) {
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        maxLength={100}
        value={values.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Picture URL"
        description={`A picture that represents the workspace. The web app shows it only if the URL begins with ${location.origin}/.`}
        placeholder={`${location.origin}/logo.png`}
        value={values.avatarURL}
        onChange={(event) => onChange({ avatarURL: event.currentTarget.value })}
      />
      {switches.map(({ field, label }) => (
        <Switch
          key={field}
          label={label}
          checked={values[field]}
          onChange={(event) => onChange({ [field]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  )
}
