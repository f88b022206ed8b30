import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { profilePageQuery } from '../../../generated/console/profilePageQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { ColorSchemeSection } from './color-scheme-section.tsx'
import { Grants } from './grants.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonalTokens } from './personal-tokens.tsx'
import { Sessions } from './sessions.tsx'

/** The name of the person, how they sign in, and the apps and tokens that act as them. */
export function ProfilePage() {
  const [fetchKey, setFetchKey] = useState(0)
  const { viewer } = useQuery<profilePageQuery>(
    graphql`
      query profilePageQuery {
        viewer {
          user { email ...nameForm_user }
          ...passwordSection_viewer
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
