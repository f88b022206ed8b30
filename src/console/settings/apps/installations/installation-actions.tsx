import { Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { installationActionsRevokeMutation } from '../../../../generated/console/installationActionsRevokeMutation.graphql.ts'
import type { installationActionsUninstallMutation } from '../../../../generated/console/installationActionsUninstallMutation.graphql.ts'
import { ActionButton } from '../../../page/forms/action-button.tsx'

type Props = { appID: string; onChange: () => void }

export function InstallationActions({ appID, onChange }: Props) {
  const { workspaceID = '' } = useParams()
  const [revoked, setRevoked] = useState<number | null>(null)
  const variables = { input: { workspaceID, appID } }
  return (
    <>
      <ActionButton<installationActionsRevokeMutation>
        label="Revoke tokens"
        isDestructive
        confirmation={{
          title: 'Revoke all tokens of the app?',
          text: 'The tokens in this workspace stop working immediately. People who allowed the app to act for them must allow it again.',
        }}
        mutation={graphql`
          mutation installationActionsRevokeMutation($input: RevokeAccessTokensInput!) {
            revokeAccessTokens(input: $input) { revokedCount }
          }
        `}
        variables={variables}
        onDone={({ revokeAccessTokens }) => setRevoked(revokeAccessTokens?.revokedCount ?? 0)}
      />
      <ActionButton<installationActionsUninstallMutation>
        label="Uninstall"
        isDestructive
        confirmation={{
          title: 'Uninstall the app from this workspace?',
          text: 'Its tokens stop working immediately. Its messages stay.',
        }}
        mutation={graphql`
          mutation installationActionsUninstallMutation($input: UninstallAppInput!) {
            uninstallApp(input: $input) { removedInstallationID }
          }
        `}
        variables={variables}
        onDone={onChange}
      />
      <Text size="sm" role="status">
        {revoked !== null && `${revoked} ${revoked === 1 ? 'token was' : 'tokens were'} revoked.`}
      </Text>
    </>
  )
}
