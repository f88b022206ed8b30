import { useEffect, useEffectEvent } from 'react'
import { fetchQuery, useRelayEnvironment } from 'react-relay/hooks'
import type { GraphQLTaggedNode, OperationType, Subscription, VariablesOf } from 'relay-runtime'

const pauseMs = 3000

/** Loads a query again every three seconds while the page is visible. Use it for data that has no change events. */
export function useRepeatedQuery<Q extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Q> | null,
): void {
  const environment = useRelayEnvironment()
  const load = useEffectEvent((): Subscription | undefined => {
    if (!variables || document.hidden) return
    // A failure needs no message, because the data is soon loaded again.
    return fetchQuery<Q>(environment, query, variables).subscribe({ error: () => {} })
  })
  const key = JSON.stringify(variables)
  useEffect(() => {
    if (key === 'null') return
    let request: Subscription | undefined
    const timer = setInterval(() => {
      request = load()
    }, pauseMs)
    return () => {
      clearInterval(timer)
      request?.unsubscribe()
    }
  }, [key])
}
