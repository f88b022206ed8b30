import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { useViewer } from '../../session/viewer.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { type CreatedWebhook, NewWebhookForm } from './new-webhook-form.tsx'
import { WebhookTrial } from './trial/webhook-trial.tsx'

/** Adds a webhook, and then shows how to call it. */
export function NewWebhookPage() {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  const [webhook, setWebhook] = useState<CreatedWebhook | null>(null)
  const parent = { path: 'apps', label: 'Apps' }
  if (!webhook)
    return (
      <div>
        <PageHeader title="Add webhook" parent={parent}>
          A webhook is a URL to which programs send messages.
        </PageHeader>
        {permissions.includes('createWebhooks') ? (
          <NewWebhookForm onCreated={setWebhook} />
        ) : (
          <Text mt="md">
            Only admins can add webhooks. In the workspace settings, admins can allow this for all members.
          </Text>
        )}
      </div>
    )
  const { id, name, userID, url } = webhook
  return (
    <div>
      <PageHeader title={name} parent={parent}>
        The webhook is ready.
      </PageHeader>
      <WebhookTrial name={name} userID={userID} url={url} />
      <Anchor component={Link} mt="md" display="block" to={`/${workspaceID}/settings/webhooks/${id}`}>
        Open the settings of {name}
      </Anchor>
    </div>
  )
}
