import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import type { newAppPageQuery } from '../../../generated/console/newAppPageQuery.graphql.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { type AppCredentials, NewAppCredentials } from './new-app-credentials.tsx'
import { NewAppForm } from './new-app-form.tsx'

export function NewAppPage() {
  const [credentials, setCredentials] = useState<AppCredentials | null>(null)
  const { viewer } = useLazyLoadQuery<newAppPageQuery>(
    graphql`query newAppPageQuery { viewer { permissions } }`,
    {},
  )
  return (
    <div>
      <PageHeader title="Create an app" parent={{ path: 'apps', label: 'Apps' }}>
        An app uses the API. With OAuth, it can also act for people who agree.
      </PageHeader>
      {credentials ? (
        <NewAppCredentials {...credentials} />
      ) : (
        <NewAppForm
          isAdmin={viewer?.permissions.includes('manageApps') ?? false}
          onCreated={setCredentials}
        />
      )}
    </div>
  )
}
