import { graphql } from 'react-relay/hooks'
import type { EventDeliveryStatus } from '../../../../generated/console/deliveryListQuery.graphql.ts'
import type { useLiveDeliveriesNewestQuery } from '../../../../generated/console/useLiveDeliveriesNewestQuery.graphql.ts'
import type { useLiveDeliveriesPendingQuery } from '../../../../generated/console/useLiveDeliveriesPendingQuery.graphql.ts'
import { useRepeatedQuery } from '../../../relay/use-repeated-query.ts'

type Options = {
  endpointID: string
  status: EventDeliveryStatus | null
  pending: string[]
  isFirstPage: boolean
}

/**
 * Keeps the list of deliveries and the state of their endpoint current. When the list has more than its first page, only
 * the pending deliveries are loaded again, because the first page would replace the other pages.
 */
export function useLiveDeliveries({ endpointID, status, pending, isFirstPage }: Options): void {
  const ids = pending.slice(0, 100)
  useRepeatedQuery<useLiveDeliveriesNewestQuery>(
    graphql`
      query useLiveDeliveriesNewestQuery($endpointID: ID!, $status: EventDeliveryStatus) {
        eventEndpoint(id: $endpointID) { id state failingSince }
        ...deliveryList_query @arguments(endpointID: $endpointID, status: $status)
      }
    `,
    isFirstPage ? { endpointID, status } : null,
  )
  useRepeatedQuery<useLiveDeliveriesPendingQuery>(
    graphql`
      query useLiveDeliveriesPendingQuery($endpointID: ID!, $ids: [ID!]!) {
        eventEndpoint(id: $endpointID) { id state failingSince }
        nodes(ids: $ids) { ... on EventDelivery @alias(as: "delivery") { id status ...deliveryRow_delivery } }
      }
    `,
    isFirstPage || ids.length === 0 ? null : { endpointID, ids },
  )
}
