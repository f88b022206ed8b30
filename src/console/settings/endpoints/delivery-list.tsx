import { graphql, usePaginationFragment } from 'react-relay/hooks'
import type { deliveryList_query$key } from '../../../generated/console/deliveryList_query.graphql.ts'
import type { deliveryListPageQuery } from '../../../generated/console/deliveryListPageQuery.graphql.ts'
import type {
  deliveryListQuery,
  EventDeliveryStatus,
} from '../../../generated/console/deliveryListQuery.graphql.ts'
import { useQuery } from '../../relay/use-query.ts'
import { Rows } from '../layout/rows.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { useLiveDeliveries } from './use-live-deliveries.ts'

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
    <Rows
      label="Deliveries"
      empty="There are no deliveries to show. To try the endpoint, send a test event."
      more={{ hasMore: hasPrevious, isLoading: isLoadingPrevious, onMore: () => loadPrevious(pageSize) }}
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
    </Rows>
  )
}
