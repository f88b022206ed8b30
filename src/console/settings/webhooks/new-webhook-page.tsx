import { Anchor } from '@mantine/core'
import { Suspense, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Loading } from '../../page/loading.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { type CreatedWebhook, NewWebhookForm } from './new-webhook-form.tsx'
import { WebhookTrial } from './trial/webhook-trial.tsx'

/** Adds a webhook, and then shows how to call it. */
export function NewWebhookPage() {
  const { workspaceID } = useParams()
  const [webhook, setWebhook] = useState<CreatedWebhook | null>(null)
  const parent = { path: 'apps', label: 'Apps' }
  if (!webhook)
    return (
      <div>
        <PageHeader title="Add webhook" parent={parent}>
          A webhook is a URL with which a program posts messages.
        </PageHeader>
        <NewWebhookForm onCreated={setWebhook} />
      </div>
    )
  const { id, name, userID, url } = webhook
  return (
    <div>
      <PageHeader title={name} parent={parent}>
        The webhook is ready.
      </PageHeader>
      <Suspense fallback={<Loading />}>
        <WebhookTrial name={name} userID={userID} url={url} />
      </Suspense>
      <Anchor component={Link} mt="md" display="block" to={`/${workspaceID}/settings/webhooks/${id}`}>
        Open the settings of {name}
      </Anchor>
    </div>
  )
}
