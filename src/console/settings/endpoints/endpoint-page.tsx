import { Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useLazyLoadQuery } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { endpointPageQuery } from '../../../generated/console/endpointPageQuery.graphql.ts'
import { Problem } from '../../page/problem.tsx'
import { dateAndTime } from '../../text/time.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { endpointState } from './endpoint-state.ts'
import { typeLabel } from './event-types.ts'

export function EndpointPage() {
  const { endpointID = '' } = useParams()
  const [fetchKey, setFetchKey] = useState(0)
  const { eventEndpoint } = useLazyLoadQuery<endpointPageQuery>(
    graphql`
      query endpointPageQuery($endpointID: ID!) {
        eventEndpoint(id: $endpointID) {
          id url types groupID appID webhookID state failingSince previousSecretEndsAt
          ...endpointActions_endpoint
        }
      }
    `,
    { endpointID },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  if (!eventEndpoint)
    return <Problem title="Endpoint not found" text="It does not exist, or you do not manage it." />
  const { url, types, groupID, appID, webhookID, state, failingSince, previousSecretEndsAt } = eventEndpoint
  const parent = appID
    ? { path: `apps/${appID}`, label: 'App' }
    : { path: `webhooks/${webhookID}`, label: 'Webhook' }
  return (
    <div>
      <PageHeader title={url} parent={parent} state={endpointState(eventEndpoint)}>
        {types?.map(typeLabel).join(', ') ?? 'All types of events'}
        {groupID && ` · Only of the group ${groupID}`}
      </PageHeader>
      {state === 'active' && failingSince && (
        <Text mt="sm">
          The attempts have failed since {dateAndTime(failingSince)}. After three days, the endpoint is
          paused.
        </Text>
      )}
      {state === 'paused' && (
        <Text mt="sm">
          The endpoint has failed for three days, and no events are sent. When your program works again,
          enable it. Then it receives the events that it has missed.
        </Text>
      )}
      {state === 'disabled' && (
        <Text mt="sm">
          No events are sent, because the endpoint answered with the status 410. To continue, enable it.
        </Text>
      )}
      {previousSecretEndsAt && (
        <Text size="sm" mt="sm">
          The previous signing secret also signs until {dateAndTime(previousSecretEndsAt)}.
        </Text>
      )}
      <EndpointActions
        endpoint={eventEndpoint}
        parentPath={parent.path}
        onTest={() => setFetchKey((key) => key + 1)}
      />
      <DeliveryLog
        endpointID={endpointID}
        fetchKey={fetchKey}
        onReload={() => setFetchKey((key) => key + 1)}
      />
    </div>
  )
}
