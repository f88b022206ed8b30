import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { installationSection_installation$key } from '../../../../generated/console/installationSection_installation.graphql.ts'
import type { installationSectionActionsRevokeMutation } from '../../../../generated/console/installationSectionActionsRevokeMutation.graphql.ts'
import type { installationSectionActionsUninstallMutation } from '../../../../generated/console/installationSectionActionsUninstallMutation.graphql.ts'
import { ActionButton } from '../../../page/forms/action-button.tsx'
import { dateOf } from '../../../text/time.ts'
import { Section } from '../../layout/section.tsx'
import { ScopeList } from '../../scopes/scope-picker.tsx'
import { ScopesForm } from './scopes-form.tsx'

type Props = {
  appID: string
  installation: installationSection_installation$key | null
  isAdmin: boolean
  onChange: () => void
}

/** The permissions of an app in the workspace. Admins can change them. */
export function InstallationSection({ appID, isAdmin, onChange, ...props }: Props) {
  const [isChanging, setChanging] = useState(false)
  const installation = useFragment(
    graphql`
      fragment installationSection_installation on Installation { scopes installedAt user { name } }
    `,
    props.installation,
  )
  const done = () => {
    setChanging(false)
    onChange()
  }
  const action = installation ? 'Change permissions' : 'Install app'
  const installed =
    installation &&
    `Installed on ${dateOf(installation.installedAt)}. The app acts as ${installation.user.name}.`
  return (
    <Section title="Permissions" text={installed ?? 'The app is not installed in this workspace.'}>
      {installation && !isChanging && <ScopeList scopes={installation.scopes} />}
      {isChanging && (
        <ScopesForm
          appID={appID}
          action={installation ? 'Save' : 'Install app'}
          {...(installation && { scopes: installation.scopes })}
          onDone={done}
          onCancel={() => setChanging(false)}
        />
      )}
      {isAdmin && !isChanging && (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setChanging(true)}>
            {action}
          </Button>
          {installation && <InstallationActions appID={appID} onChange={onChange} />}
        </Group>
      )}
      {!isAdmin && (
        <Text size="sm">Only admins can install or uninstall the app, or change its permissions.</Text>
      )}
    </Section>
  )
}

type InstallationActionsProps = { appID: string; onChange: () => void }

function InstallationActions({ appID, onChange }: InstallationActionsProps) {
  const { workspaceID = '' } = useParams()
  const [revoked, setRevoked] = useState<number | null>(null)
  const variables = { input: { workspaceID, appID } }
  return (
    <>
      <ActionButton<installationSectionActionsRevokeMutation>
        label="Revoke tokens"
        isDestructive
        confirmation={{
          title: 'Revoke all tokens of the app?',
          text: 'The tokens in this workspace stop working immediately. People who allowed the app to act for them must allow it again.',
        }}
        mutation={graphql`
          mutation installationSectionActionsRevokeMutation($input: RevokeAccessTokensInput!) {
            revokeAccessTokens(input: $input) { revokedCount }
          }
        `}
        variables={variables}
        onDone={({ revokeAccessTokens }) => setRevoked(revokeAccessTokens?.revokedCount ?? 0)}
      />
      <ActionButton<installationSectionActionsUninstallMutation>
        label="Uninstall"
        isDestructive
        confirmation={{
          title: 'Uninstall the app from this workspace?',
          text: 'Its tokens stop working immediately. Its messages stay.',
        }}
        mutation={graphql`
          mutation installationSectionActionsUninstallMutation($input: UninstallAppInput!) {
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
