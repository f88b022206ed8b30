import { Group, NativeSelect, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { webhookUrl_webhook$key } from '../../../generated/console/webhookUrl_webhook.graphql.ts'
import type { webhookUrlEndMutation } from '../../../generated/console/webhookUrlEndMutation.graphql.ts'
import type { webhookUrlRotateMutation } from '../../../generated/console/webhookUrlRotateMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../page/problems/problem-boundary.tsx'
import { dateAndMinute } from '../../text/time.ts'
import { Section } from '../layout/section.tsx'
import { SecretNotice } from '../secrets/secret-notice.tsx'
import { SenderExamples } from './senders/sender-examples.tsx'
import { NewURL, WebhookTrial } from './trial/webhook-trial.tsx'

type Props = { webhook: webhookUrl_webhook$key }

const overlaps = [
  { value: '0', label: 'stops working immediately' },
  { value: '1', label: 'works for another hour' },
  { value: '24', label: 'works for another 24 hours' },
  { value: '168', label: 'works for another 7 days' },
]

/** Replaces the URL. The service shows a URL only when it is new. */
export function WebhookURL({ webhook }: Props) {
  const { id, name, user, previousKeyEndsAt } = useFragment(
    graphql`fragment webhookUrl_webhook on Webhook { id name user { id } previousKeyEndsAt }`,
    webhook,
  )
  const [url, setURL] = useState<string | null>(null)
  const [overlap, setOverlap] = useState('0')
  const hasPrevious = previousKeyEndsAt && new Date(previousKeyEndsAt) > new Date()
  const ofOldest = hasPrevious ? ' The previous URL stops working immediately.' : ''
  return (
    <Section title="URL" text="Anyone who has the URL can post. If it was lost or leaked, replace it.">
      {hasPrevious && (
        <Group gap="xs">
          <Text size="sm">Until {dateAndMinute(previousKeyEndsAt)}, the previous URL also works.</Text>
          <ActionButton<webhookUrlEndMutation>
            label="End the previous URL"
            isDestructive
            mutation={graphql`
              mutation webhookUrlEndMutation($input: EndPreviousWebhookKeyInput!) {
                endPreviousWebhookKey(input: $input) { webhook { id previousKeyEndsAt } }
              }
            `}
            variables={{ input: { webhookID: id } }}
          />
        </Group>
      )}
      <Group align="end">
        <NativeSelect
          label="The old URL"
          data={overlaps}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
        <ActionButton<webhookUrlRotateMutation>
          label="Replace the URL"
          isDestructive
          confirmation={{
            title: `Replace the URL of ${name}?`,
            text: `The old URL ${overlaps.find(({ value }) => value === overlap)?.label}.${ofOldest} Programs that use it need the new URL.`,
          }}
          mutation={graphql`
            mutation webhookUrlRotateMutation($input: RotateWebhookKeyInput!) {
              rotateWebhookKey(input: $input) { url webhook { id previousKeyEndsAt } }
            }
          `}
          variables={{ input: { webhookID: id, overlapHours: Number(overlap) } }}
          onDone={({ rotateWebhookKey }) => setURL(rotateWebhookKey?.url ?? null)}
        />
      </Group>
      {url === null ? (
        <>
          <SecretNotice>
            The URL cannot be shown again. In the examples, WEBHOOK_URL stands for it. If you replace the URL,
            the new one is shown once, also in the examples.
          </SecretNotice>
          <ProblemBoundary>
            <LoadingBoundary>
              <SenderExamples name={name} url="WEBHOOK_URL" />
            </LoadingBoundary>
          </ProblemBoundary>
        </>
      ) : (
        <>
          <NewURL url={url} />
          <WebhookTrial key={url} name={name} userID={user.id} url={url} />
        </>
      )}
    </Section>
  )
}
