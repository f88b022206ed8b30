import { Anchor, Stack, Text } from '@mantine/core'
import { Link, useParams } from 'react-router'
import { CopyField } from '../../../page/copying.tsx'
import { CommandBlock } from '../../commands/command-block.tsx'
import { curlCommand, curlJSON } from '../../commands/curl-command.ts'
import { SecretOnce } from '../../secrets/secret-once.tsx'

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

type Props = { clientID: string; clientSecret: string; redirectURI: string }

/** Shows the commands that request the first token of an app and use it. */
function FirstToken({ clientID, clientSecret, redirectURI }: Props) {
  const { workspaceID = '' } = useParams()
  const parameters = {
    grant_type: 'client_credentials',
    subject: workspaceID,
    client_id: clientID,
    client_secret: clientSecret,
    redirect_uri: redirectURI,
  }
  const token = curlCommand(
    `${location.origin}/oauth/token`,
    Object.entries(parameters).map(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
  )
  const call = curlJSON(`${location.origin}/public/graphql`, { query: '{ me { id } }' }, [
    'Authorization: Bearer ACCESS_TOKEN',
  ])
  return (
    <>
      <CommandBlock label="Run this command to get a token" command={token} />
      <CommandBlock
        label="Call the API, with the access_token of the response instead of ACCESS_TOKEN"
        command={call}
      />
      <Text size="sm">
        Read more about{' '}
        <Anchor href="/docs/tokens" underline="always">
          tokens
        </Anchor>{' '}
        and the{' '}
        <Anchor href="/docs/graphql" underline="always">
          GraphQL API
        </Anchor>
        .
      </Text>
    </>
  )
}
