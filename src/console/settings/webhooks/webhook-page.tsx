import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { webhookPageQuery } from '../../../generated/console/webhookPageQuery.graphql.ts'
import { NotFound } from '../../page/problems/not-found.tsx'
import { useQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { createdBy } from '../../text/created-by.ts'
import { lastUsed } from '../../text/last-used.ts'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { Section } from '../layout/section.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { WebhookURL } from './webhook-url.tsx'

export function WebhookPage() {
  const { webhookID = '' } = useParams()
  const { listVersion } = useViewer()
  const [fetchKey, setFetchKey] = useState(0)
  const { node } = useQuery<webhookPageQuery>(
    graphql`
      query webhookPageQuery($webhookID: ID!) {
        node(id: $webhookID) {
          ... on Webhook @alias(as: "webhook") {
            name description createdAt disabledAt deletedAt lastUsedAt creator { name }
            ...webhookForm_webhook ...webhookUrl_webhook ...webhookActions_webhook
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
      }
    `,
    { webhookID },
    { fetchKey: `${fetchKey}-${listVersion}`, fetchPolicy: 'store-and-network' },
  )
  const webhook = node?.webhook
  if (!webhook || webhook.deletedAt) return <NotFound what="Webhook" />
  const used = lastUsed(webhook.lastUsedAt) + (webhook.lastUsedAt ? ' (accurate to about ten minutes)' : '')
  return (
    <div>
      <PageHeader
        title={webhook.name}
        parent={{ path: 'apps', label: 'Apps' }}
        state={webhook.disabledAt ? 'Disabled' : 'Enabled'}
      >
        {[webhook.description, createdBy(webhook), used].filter(Boolean).join(' · ')}
      </PageHeader>
      <Section title="Name and description">
        <WebhookForm webhook={webhook} />
      </Section>
      <WebhookURL webhook={webhook} />
      <EndpointSection
        owner={{ webhookID }}
        endpoints={webhook.eventEndpoints ?? []}
        onChange={() => setFetchKey((key) => key + 1)}
      />
      <WebhookActions webhook={webhook} />
    </div>
  )
}
