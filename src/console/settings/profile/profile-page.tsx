import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { profilePageQuery } from '../../../generated/console/profilePageQuery.graphql.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { NameForm } from './name-form.tsx'
import { PersonalTokens } from './personal-tokens.tsx'

/** What a person can change about themselves. */
export function ProfilePage() {
  const [fetchKey, setFetchKey] = useState(0)
  const { viewer } = useLazyLoadQuery<profilePageQuery>(
    graphql`
      query profilePageQuery {
        viewer { user { email ...nameForm_user } ...personalTokens_viewer }
      }
    `,
    {},
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  if (!viewer) return null
  return (
    <div>
      <PageHeader title="Profile">{viewer.user.email}</PageHeader>
      <Section title="How others see you">
        <NameForm user={viewer.user} />
      </Section>
      <Section
        title="Account"
        text={
          <>
            The password, the sessions and the apps that act for you are on{' '}
            <Anchor href="/account" size="sm" underline="always">
              your account page
            </Anchor>
            .
          </>
        }
      />
      <PersonalTokens viewer={viewer} onChange={() => setFetchKey((key) => key + 1)} />
    </div>
  )
}
