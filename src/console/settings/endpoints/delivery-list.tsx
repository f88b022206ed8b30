import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { deliveryList_query$key } from '../../../generated/console/deliveryList_query.graphql.ts'
import type { deliveryListLiveChangedQuery } from '../../../generated/console/deliveryListLiveChangedQuery.graphql.ts'
import type { deliveryListLiveShownQuery } from '../../../generated/console/deliveryListLiveShownQuery.graphql.ts'
import type { deliveryListPageQuery } from '../../../generated/console/deliveryListPageQuery.graphql.ts'
import type {
  deliveryListQuery,
  EventDeliveryStatus,
} from '../../../generated/console/deliveryListQuery.graphql.ts'
import { useQuery, useRepeatedQuery } from '../../relay/use-query.ts'
import { LogTable } from '../layout/log-table.tsx'
import { DeliveryRow } from './delivery-row.tsx'

const pageSize = 20

type Props = { endpointID: string; status: EventDeliveryStatus | null; fetchKey: number }

export function DeliveryList({ endpointID, status, fetchKey }: Props) {
  const query = useQuery<deliveryListQuery>(
    graphql`
      query deliveryListQuery($endpointID: ID!, $status: EventDeliveryStatus) {
        ...deliveryList_query @arguments(endpointID: $endpointID, status: $status)
      }
    `,
    { endpointID, status },
    { fetchKey, fetchPolicy: 'store-and-network' },
  )
  return <Deliveries endpointID={endpointID} status={status} query={query} />
}

type DeliveriesProps = Omit<Props, 'fetchKey'> & { query: deliveryList_query$key }

function Deliveries({ endpointID, status, query }: DeliveriesProps) {
  const { data, hasPrevious, isLoadingPrevious, loadPrevious } = usePaginationFragment<
    deliveryListPageQuery,
    deliveryList_query$key
  >(
    graphql`
      fragment deliveryList_query on Query
      @refetchable(queryName: "deliveryListPageQuery")
      @argumentDefinitions(
        endpointID: { type: "ID!" }
        status: { type: "EventDeliveryStatus" }
        last: { type: "Int", defaultValue: 20 }
        before: { type: "String" }
      ) {
        deliveries(endpointID: $endpointID, status: $status, last: $last, before: $before)
          @connection(key: "deliveryList_deliveries") {
          edges { node { id status ...deliveryRow_delivery } }
          pageInfo { endCursor }
        }
      }
    `,
    query,
  )
  const deliveries = (data.deliveries?.edges ?? []).map(({ node }) => node).reverse()
  const pending = deliveries.filter(({ status }) => status === 'pending').map(({ id }) => id)
  const pageCount = Math.max(1, Math.ceil(deliveries.length / pageSize))
  useLiveDeliveries({
    endpointID,
    status,
    shownCount: pageCount * pageSize,
    pending,
    newest: data.deliveries?.pageInfo.endCursor ?? null,
    isPaused: isLoadingPrevious,
  })
  return (
    <LogTable
      label="Deliveries"
      columns={['Answer', 'Event', 'Tries', 'Time']}
      empty="There are no deliveries to show. To try the endpoint, send a test event."
      more={{ hasMore: hasPrevious, isLoading: isLoadingPrevious, onMore: () => loadPrevious(pageSize) }}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </LogTable>
  )
}

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
function useLiveDeliveries({ endpointID, status, ...list }: Options): void {
  const { shownCount, pending, newest, isPaused } = list
  const isLong = shownCount > mostPerQuery
  const variables = { endpointID, status }
  useRepeatedQuery<deliveryListLiveShownQuery>(
    graphql`
      query deliveryListLiveShownQuery($endpointID: ID!, $status: EventDeliveryStatus, $last: Int!) {
        eventEndpoint(id: $endpointID) { id state failingSince }
        ...deliveryList_query @arguments(endpointID: $endpointID, status: $status, last: $last)
      }
    `,
    isLong || isPaused ? null : { ...variables, last: shownCount },
  )
  useRepeatedQuery<deliveryListLiveChangedQuery>(
    graphql`
      query deliveryListLiveChangedQuery(
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
