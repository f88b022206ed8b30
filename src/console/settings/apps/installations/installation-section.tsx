import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { installationSection_installation$key } from '../../../../generated/console/installationSection_installation.graphql.ts'
import { dateOf } from '../../../text/time.ts'
import { Section } from '../../layout/section.tsx'
import { ScopeList } from '../../scopes/scope-list.tsx'
import { InstallationActions } from './installation-actions.tsx'
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
