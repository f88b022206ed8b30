import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { clientSecret_app$key } from '../../../generated/console/clientSecret_app.graphql.ts'
import type { clientSecretRotateMutation } from '../../../generated/console/clientSecretRotateMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { SecretOnce } from '../secrets/secret-once.tsx'

export function ClientSecret(props: { app: clientSecret_app$key }) {
  const { id, name } = useFragment(graphql`fragment clientSecret_app on App { id name }`, props.app)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Stack gap="sm">
      <Group>
        <ActionButton<clientSecretRotateMutation>
          label="Replace the client secret"
          isDestructive
          confirmation={{
            title: `Replace the client secret of ${name}?`,
            text: 'The old secret stops working immediately. Access tokens continue to work until they expire.',
          }}
          mutation={graphql`
            mutation clientSecretRotateMutation($input: RotateClientSecretInput!) {
              rotateClientSecret(input: $input) { clientSecret }
            }
          `}
          variables={{ input: { appID: id } }}
          onDone={({ rotateClientSecret }) => setSecret(rotateClientSecret?.clientSecret ?? null)}
        />
      </Group>
      {secret !== null && <SecretOnce label="Client secret" value={secret} />}
    </Stack>
  )
}
