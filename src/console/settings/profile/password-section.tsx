import { Anchor } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { passwordSection_viewer$key } from '../../../generated/console/passwordSection_viewer.graphql.ts'
import { Section } from '../layout/section.tsx'
import { usePasswordPath } from './use-password-path.ts'

/** Says whether the person has a password. The form is on the account page, which works best for password managers. */
export function PasswordSection({ viewer }: { viewer: passwordSection_viewer$key }) {
  const passwordPath = usePasswordPath()
  const { hasPassword } = useFragment(
    graphql`fragment passwordSection_viewer on Viewer { hasPassword }`,
    viewer,
  )
  return (
    <Section
      title="Password"
      text={hasPassword ? 'You can sign in with a password.' : 'You have not set a password.'}
    >
      <Anchor href={passwordPath} size="sm" underline="always" style={{ alignSelf: 'flex-start' }}>
        {hasPassword ? 'Change password' : 'Set a password'}
      </Anchor>
    </Section>
  )
}
