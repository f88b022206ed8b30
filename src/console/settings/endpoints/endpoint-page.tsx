import { Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import { useParams } from 'react-router'
import type { endpointPageGroupQuery } from '../../../generated/console/endpointPageGroupQuery.graphql.ts'
import type { endpointPageQuery } from '../../../generated/console/endpointPageQuery.graphql.ts'
import { NotFound } from '../../page/problems/problem.tsx'
import { useQuery, useReloadedQuery } from '../../relay/use-query.ts'
import { useViewer } from '../../session/viewer.ts'
import { dateAndTime } from '../../text/time.ts'
import { PageHeader } from '../layout/page-header.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EditEndpoint } from './edit-endpoint.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { endpointState, typeLabel } from './event-types.ts'

export function EndpointPage() {
  const { endpointID = '' } = useParams()
  const { listVersion } = useViewer()
  const [isEditing, setEditing] = useState(false)
  const [{ eventEndpoint }, reload, loadCount] = useReloadedQuery<endpointPageQuery>(
    graphql`
      query endpointPageQuery($endpointID: ID!) {
        eventEndpoint(id: $endpointID) {
          id url types groupID appID webhookID state failingSince previousSecretEndsAt
          ...endpointActions_endpoint
          ...editEndpoint_endpoint
        }
      }
    `,
    { endpointID },
    listVersion,
  )
  if (!eventEndpoint) return <NotFound what="Endpoint" />
  const { url, types, groupID, appID, webhookID, state, failingSince, previousSecretEndsAt } = eventEndpoint
  const parent = appID
    ? { path: `apps/${appID}`, label: 'App' }
    : { path: `webhooks/${webhookID}`, label: 'Webhook' }
  return (
    <div>
      <PageHeader title={url} parent={parent} state={endpointState(eventEndpoint)}>
        {types?.map(typeLabel).join(', ') ?? 'All types of events'}
        {groupID && (
          <>
            {' · Only from the group '}
            <Suspense fallback={groupID}>
              <EndpointGroup groupID={groupID} />
            </Suspense>
          </>
        )}
      </PageHeader>
      {state === 'active' && failingSince && (
        <Text mt="sm">
          Deliveries have failed since {dateAndTime(failingSince)}. After three days of failures, the endpoint
          is paused.
        </Text>
      )}
      {state === 'paused' && (
        <Text mt="sm">
          The endpoint is paused, because deliveries failed for three days. When your program works again,
          enable the endpoint. It then receives the events that it missed.
        </Text>
      )}
      {state === 'disabled' && (
        <Text mt="sm">
          No events are sent, because somebody disabled the endpoint, or because it responded with status 410.
          When you enable the endpoint, it receives the events that it missed.
        </Text>
      )}
      {previousSecretEndsAt && (
        <Text size="sm" mt="sm">
          Until {dateAndTime(previousSecretEndsAt)}, events are also signed with the previous secret.
        </Text>
      )}
      {isEditing ? (
        <EditEndpoint endpoint={eventEndpoint} onClose={() => setEditing(false)} />
      ) : (
        <EndpointActions
          endpoint={eventEndpoint}
          parentPath={parent.path}
          onEdit={() => setEditing(true)}
          onChange={reload}
        />
      )}
      <DeliveryLog endpointID={endpointID} fetchKey={loadCount} onReload={reload} />
    </div>
  )
}

/** The name of the group that an endpoint is limited to, or its ID if the person cannot see the group. */
function EndpointGroup({ groupID }: { groupID: string }) {
  const { group } = useQuery<endpointPageGroupQuery>(
    graphql`query endpointPageGroupQuery($groupID: ID!) { group(id: $groupID) { name } }`,
    { groupID },
  )
  return group?.name ?? groupID
}
