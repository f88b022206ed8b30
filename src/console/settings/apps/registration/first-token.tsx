import { Anchor, Text } from '@mantine/core'
import { useParams } from 'react-router'
import { CommandBlock } from '../../commands/command-block.tsx'
import { curlCommand, curlJSON } from '../../commands/curl-command.ts'

type Props = { clientID: string; clientSecret: string; redirectURI: string }

/** Shows the commands that request the first token of an app and use it. */
export function FirstToken({ clientID, clientSecret, redirectURI }: Props) {
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
