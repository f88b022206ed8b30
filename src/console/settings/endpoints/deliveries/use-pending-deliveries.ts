import { useEffect } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { usePendingDeliveriesQuery } from '../../../../generated/console/usePendingDeliveriesQuery.graphql.ts'

const pauseMs = 3000

/**
 * Reads pending deliveries and the state of their endpoint again while the page is visible, because no event reports
 * their outcome.
 */
export function usePendingDeliveries(endpointID: string, pending: string[]): void {
  const environment = useRelayEnvironment()
  const ids = pending.slice(0, 100).join(' ')
  useEffect(() => {
    if (ids === '') return
    const read = () => {
      if (document.hidden) return
      fetchQuery<usePendingDeliveriesQuery>(
        environment,
        graphql`
          query usePendingDeliveriesQuery($endpointID: ID!, $ids: [ID!]!) {
            eventEndpoint(id: $endpointID) { id state failingSince }
            nodes(ids: $ids) { ... on EventDelivery @alias(as: "delivery") { id status ...deliveryRow_delivery } }
          }
        `,
        { endpointID, ids: ids.split(' ') },
      ).subscribe({})
    }
    const timer = setInterval(read, pauseMs)
    return () => clearInterval(timer)
  }, [environment, endpointID, ids])
}
