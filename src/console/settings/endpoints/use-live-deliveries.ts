import { graphql } from 'react-relay/hooks'
import type { EventDeliveryStatus } from '../../../generated/console/deliveryListQuery.graphql.ts'
import type { useLiveDeliveriesChangedQuery } from '../../../generated/console/useLiveDeliveriesChangedQuery.graphql.ts'
import type { useLiveDeliveriesShownQuery } from '../../../generated/console/useLiveDeliveriesShownQuery.graphql.ts'
import { useRepeatedQuery } from '../../relay/use-repeated-query.ts'

const mostPerQuery = 100

type Options = {
  endpointID: string
  status: EventDeliveryStatus | null
  /** The number of deliveries that the list shows when its last page is full. */
  shownCount: number
  pending: string[]
  /** The cursor of the newest delivery of the list. */
  newest: string | null
  isPaused: boolean
}

/**
 * Keeps the list of deliveries and the state of their endpoint current. A query returns at most 100 deliveries. In a
 * longer list, its result would replace the older deliveries. Therefore, only new and pending deliveries are loaded.
 */
export function useLiveDeliveries({ endpointID, status, ...list }: Options): void {
  const { shownCount, pending, newest, isPaused } = list
  const isLong = shownCount > mostPerQuery
  const variables = { endpointID, status }
  useRepeatedQuery<useLiveDeliveriesShownQuery>(
    graphql`
      query useLiveDeliveriesShownQuery($endpointID: ID!, $status: EventDeliveryStatus, $last: Int!) {
        eventEndpoint(id: $endpointID) { id state failingSince }
        ...deliveryList_query @arguments(endpointID: $endpointID, status: $status, last: $last)
      }
    `,
    isLong || isPaused ? null : { ...variables, last: shownCount },
  )
  useRepeatedQuery<useLiveDeliveriesChangedQuery>(
    graphql`
      query useLiveDeliveriesChangedQuery(
        $endpointID: ID!, $status: EventDeliveryStatus, $newest: String!, $pending: [ID!]!
      ) {
        eventEndpoint(id: $endpointID) { id state failingSince }
        deliveries(endpointID: $endpointID, status: $status, first: 100, after: $newest)
          @connection(key: "deliveryList_deliveries") {
          edges { node { id status ...deliveryRow_delivery } }
        }
        nodes(ids: $pending) { ... on EventDelivery @alias(as: "delivery") { id status ...deliveryRow_delivery } }
      }
    `,
    isLong && !isPaused && newest !== null
      ? { ...variables, newest, pending: pending.slice(0, mostPerQuery) }
      : null,
  )
}
