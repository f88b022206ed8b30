import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { webhookPageQuery } from '../../../generated/console/webhookPageQuery.graphql.ts'
import { Problem } from '../../page/problem.tsx'
import { dateOf } from '../../text/time.ts'
import { EndpointSection } from '../endpoints/endpoint-section.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookAddress } from './webhook-address.tsx'

export function WebhookPage() {
  const { webhookID = '' } = useParams()
  const [fetchKey, setFetchKey] = useState(0)
  const { node } = useLazyLoadQuery<webhookPageQuery>(
    graphql`
      query webhookPageQuery($webhookID: ID!) {
        node(id: $webhookID) {
          ... on Webhook @alias(as: "webhook") {
            name description createdAt disabledAt deletedAt creator { name }
            ...webhookAddress_webhook ...webhookActions_webhook
            eventEndpoints { id ...endpointSection_endpoints }
          }
        }
      }
    `,
    { webhookID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  const webhook = node?.webhook
  if (!webhook || webhook.deletedAt)
    return <Problem title="Webhook not found" text="It does not exist, or you do not manage it." />
  const created = `Created by ${webhook.creator?.name ?? 'the operator'}, ${dateOf(webhook.createdAt)}`
  return (
    <div>
      <PageHeader
        title={webhook.name}
        parent={{ path: 'apps', label: 'Apps' }}
        state={webhook.disabledAt ? 'Disabled' : 'Enabled'}
      >
        {[webhook.description, created].filter(Boolean).join(' · ')}
      </PageHeader>
      <WebhookAddress webhook={webhook} />
      <EndpointSection
        owner={{ webhookID }}
        endpoints={webhook.eventEndpoints ?? []}
        onChange={() => setFetchKey((key) => key + 1)}
      />
      <WebhookActions webhook={webhook} />
    </div>
  )
}
