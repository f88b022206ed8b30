import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { profilePagePassword_viewer$key } from '../../../generated/console/profilePagePassword_viewer.graphql.ts'
import type { profilePageQuery } from '../../../generated/console/profilePageQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { ColorSchemeSection } from './color-scheme-section.tsx'
import { Grants } from './grants.tsx'
import { NameForm } from './name-form.tsx'
import { PersonalTokens } from './personal-tokens.tsx'
import { Sessions } from './sessions.tsx'
import { usePasswordPath } from './use-password-path.ts'

/** The name of the person, how they sign in, and the apps and tokens that act as them. */
export function ProfilePage() {
  const [fetchKey, setFetchKey] = useState(0)
  const { viewer } = useQuery<profilePageQuery>(
    graphql`
      query profilePageQuery {
        viewer {
          user { email ...nameForm_user }
          ...profilePagePassword_viewer
          ...sessions_viewer
          ...grants_viewer
          ...personalTokens_viewer
        }
      }
    `,
    {},
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  if (!viewer) return null
  const load = () => setFetchKey((key) => key + 1)
  return (
    <div>
      <PageHeader title="Profile">{viewer.user.email}</PageHeader>
      <Section title="How others see you">
        <NameForm user={viewer.user} />
      </Section>
      <ColorSchemeSection />
      <PasswordSection viewer={viewer} />
      <Sessions viewer={viewer} onChange={load} />
      <Grants viewer={viewer} onChange={load} />
      <PersonalTokens viewer={viewer} onChange={load} />
    </div>
  )
}

/** Says whether the person has a password. The form is on the account page, which works best for password managers. */
function PasswordSection({ viewer }: { viewer: profilePagePassword_viewer$key }) {
  const passwordPath = usePasswordPath()
  const { hasPassword } = useFragment(
    graphql`fragment profilePagePassword_viewer on Viewer { hasPassword }`,
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
