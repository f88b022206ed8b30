import { Stack, Switch, Text, TextInput } from '@mantine/core'

type WorkspaceValues = {
  name: string
  avatarURL: string
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
  { field: 'membersMayCreateApps', label: 'Members can create apps and manage their own apps' },
  {
    field: 'membersMayCreateWebhooks',
    label: 'Members can create webhooks and manage their own webhooks',
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
        label="Picture URL"
        description={`A picture that represents the workspace. The web app shows it only if the URL begins with ${location.origin}/.`}
        {...(!isReadOnly && { placeholder: `${location.origin}/logo.png` })}
        readOnly={isReadOnly}
        value={values.avatarURL}
        onChange={(event) => onChange({ avatarURL: event.currentTarget.value })}
      />
      {switches.map(({ field, label }) =>
        isReadOnly ? (
          // A disabled switch would be too pale to read.
          <Text key={field} size="sm">
            {label}: <strong>{values[field] ? 'yes' : 'no'}</strong>
          </Text>
        ) : (
          <Switch
            key={field}
            label={label}
            checked={values[field]}
            onChange={(event) => onChange({ [field]: event.currentTarget.checked })}
          />
        ),
      )}
    </Stack>
  )
}
