import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { CopyField } from '../../../page/copying/copy-field.tsx'
import { SecretOnce } from '../../secrets/secret-once.tsx'
import { FirstToken } from './first-token.tsx'

export type AppCredentials = {
  name: string
  clientID: string
  clientSecret: string | null
  redirectURI: string
}

export function NewAppCredentials({ name, clientID, clientSecret, redirectURI }: AppCredentials) {
  const { workspaceID } = useParams()
  return (
    <Stack mt="md">
      <Text role="status">{name} was created, and is installed in this workspace.</Text>
      <CopyField label="Client ID" value={clientID} />
      {clientSecret === null ? (
        <Text size="sm">
          A public app has no client secret. It must use PKCE: read{' '}
          <Anchor href="/docs/apps" underline="always">
            how apps ask for access
          </Anchor>
          .
        </Text>
      ) : (
        <>
          <SecretOnce label="Client secret" value={clientSecret} />
          <FirstToken clientID={clientID} clientSecret={clientSecret} redirectURI={redirectURI} />
        </>
      )}
      <Anchor component={Link} to={`/${workspaceID}/settings/apps/${clientID}`}>
        Open the settings of {name}
      </Anchor>
    </Stack>
  )
}
