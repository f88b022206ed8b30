import { Group, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { webhookUrl_webhook$key } from '../../../generated/console/webhookUrl_webhook.graphql.ts'
import type { webhookUrlRotateMutation } from '../../../generated/console/webhookUrlRotateMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../page/problems/problem-boundary.tsx'
import { Section } from '../layout/section.tsx'
import { SenderExamples } from './senders/sender-examples.tsx'
import { WebhookTrial } from './trial/webhook-trial.tsx'

type Props = { webhook: webhookUrl_webhook$key }

/** Replaces the URL. The service shows a URL only when it is new. */
export function WebhookURL({ webhook }: Props) {
  const { id, name, user } = useFragment(
    graphql`fragment webhookUrl_webhook on Webhook { id name user { id } }`,
    webhook,
  )
  const [url, setURL] = useState<string | null>(null)
  return (
    <Section title="URL" text="Anyone who has the URL can post. If it was lost or leaked, replace it.">
      <Group>
        <ActionButton<webhookUrlRotateMutation>
          label="Replace the URL"
          isDestructive
          confirmation={{
            title: `Replace the URL of ${name}?`,
            text: 'The old URL stops working immediately. Programs that use it need the new URL.',
          }}
          mutation={graphql`
            mutation webhookUrlRotateMutation($input: RotateWebhookKeyInput!) {
              rotateWebhookKey(input: $input) { url }
            }
          `}
          variables={{ input: { webhookID: id } }}
          onDone={({ rotateWebhookKey }) => setURL(rotateWebhookKey?.url ?? null)}
        />
      </Group>
      {url === null ? (
        <>
          <Text size="sm">
            The URL cannot be shown again. In the examples, WEBHOOK_URL stands for it. If you replace the URL,
            the new one is shown once, also in the examples.
          </Text>
          <ProblemBoundary>
            <LoadingBoundary>
              <SenderExamples name={name} url="WEBHOOK_URL" />
            </LoadingBoundary>
          </ProblemBoundary>
        </>
      ) : (
        <WebhookTrial key={url} name={name} userID={user.id} url={url} />
      )}
    </Section>
  )
}
