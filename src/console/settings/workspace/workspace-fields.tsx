import { Stack, Switch, TextInput } from '@mantine/core'

export type WorkspaceValues = {
  name: string
  avatarURL: string | null | undefined
  customAppsEnabled: boolean
  membersMayCreateApps: boolean
  membersMayCreateWebhooks: boolean
}

type Props = {
  values: WorkspaceValues
  isReadOnly: boolean
  onChange: (changes: Partial<WorkspaceValues>) => void
}

const switches = [
  { field: 'customAppsEnabled', label: 'Apps can be created in this workspace' },
  { field: 'membersMayCreateApps', label: 'Members can create apps, and manage the apps that they created' },
  {
    field: 'membersMayCreateWebhooks',
    label: 'Members can create webhooks, and manage the webhooks that they created',
  },
] as const

export function WorkspaceFields({ values, isReadOnly, onChange }: Props) {
  return (
    <Stack gap="sm">
      <TextInput
        label="Name"
        maxLength={100}
        readOnly={isReadOnly}
        value={values.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Picture"
        description="The URL of a picture of the workspace."
        placeholder="https://example.com/logo.png"
        readOnly={isReadOnly}
        value={values.avatarURL ?? ''}
        onChange={(event) => onChange({ avatarURL: event.currentTarget.value })}
      />
      {switches.map(({ field, label }) => (
        <Switch
          key={field}
          label={label}
          disabled={isReadOnly}
          checked={values[field]}
          onChange={(event) => onChange({ [field]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  )
}
