import { Group, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { webhookAddress_webhook$key } from '../../../generated/console/webhookAddress_webhook.graphql.ts'
import type { webhookAddressRotateMutation } from '../../../generated/console/webhookAddressRotateMutation.graphql.ts'
import { Loading } from '../../page/loading.tsx'
import { Section } from '../layout/section.tsx'
import { ActionButton } from '../parts/action-button.tsx'
import { WebhookTrial } from './trial/webhook-trial.tsx'

type Props = { webhook: webhookAddress_webhook$key }

/** The service shows the URL only when it is new. A person who lost it replaces it. */
export function WebhookAddress({ webhook }: Props) {
  const { id, name, user } = useFragment(
    graphql`fragment webhookAddress_webhook on Webhook { id name user { id } }`,
    webhook,
  )
  const [url, setURL] = useState<string | null>(null)
  return (
    <Section title="URL" text="Anyone who has the URL can post. If it was lost or leaked, replace it.">
      <Group>
        <ActionButton<webhookAddressRotateMutation>
          label="Replace the URL"
          isDestructive
          question={{
            title: `Replace the URL of ${name}?`,
            text: 'The old URL stops working at once. Programs that use it need the new URL.',
          }}
          mutation={graphql`
            mutation webhookAddressRotateMutation($input: RotateWebhookKeyInput!) {
              rotateWebhookKey(input: $input) { url }
            }
          `}
          variables={{ input: { webhookID: id } }}
          onDone={({ rotateWebhookKey }) => setURL(rotateWebhookKey?.url ?? null)}
        />
      </Group>
      {url === null ? (
        <Text size="sm">
          The URL is not shown again. The new one is shown once, with a command to try it.
        </Text>
      ) : (
        <Suspense fallback={<Loading />}>
          <WebhookTrial key={url} name={name} userID={user.id} url={url} />
        </Suspense>
      )}
    </Section>
  )
}
