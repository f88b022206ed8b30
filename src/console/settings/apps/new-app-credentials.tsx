import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { CopyField } from '../parts/copy-field.tsx'
import { SecretOnce } from '../parts/secret-once.tsx'

export type AppCredentials = { name: string; clientID: string; clientSecret: string | null }

/** What the author of a new app needs. */
export function NewAppCredentials({ name, clientID, clientSecret }: AppCredentials) {
  const { workspaceID } = useParams()
  return (
    <Stack mt="md" role="status">
      <Text>{name} was created, and is installed in this workspace.</Text>
      <CopyField label="Client ID" value={clientID} />
      {clientSecret === null ? (
        <Text size="sm">A public app has no client secret. It must use PKCE.</Text>
      ) : (
        <SecretOnce label="Client secret" value={clientSecret} />
      )}
      <Anchor component={Link} to={`/${workspaceID}/settings/apps/${clientID}`}>
        Open the settings of {name}
      </Anchor>
    </Stack>
  )
}
