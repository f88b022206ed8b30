import { createContext, useCallback, useContext, useEffect, useEffectEvent, useState } from 'react'
import { fetchQuery, useLazyLoadQuery, useRelayEnvironment } from 'react-relay/hooks'
import type { FetchPolicy, GraphQLTaggedNode, OperationType, Subscription, VariablesOf } from 'relay-runtime'

/** The number of the attempt to load a part of the page. It changes after a failure. */
export const AttemptContext = createContext(0)

type Options = { fetchKey?: string | number; fetchPolicy?: FetchPolicy }

/**
 * Loads a query. After a failure, the next attempt loads it again. Relay alone would return the same failure for minutes.
 * With the policy `store-and-network`, the data that the page has stays on it until the query succeeds.
 */
export function useQuery<Q extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Q>,
  options: Options = {},
): Q['response'] {
  const attempt = useContext(AttemptContext)
  const keepsData = options.fetchPolicy === 'store-and-network'
  return useLazyLoadQuery<Q>(query, variables, {
    ...options,
    fetchKey: `${attempt}-${options.fetchKey ?? ''}`,
    networkCacheConfig: { force: true, metadata: { keepsData } },
  })
}

/**
 * Loads a query like `useQuery`, and again when `reload` is called or `version` changes. Until the new data is there, it
 * returns the data that the page already has.
 */
export function useReloadedQuery<Q extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Q>,
  version = 0,
): [data: Q['response'], reload: () => void, loadCount: number] {
  const [loadCount, setLoadCount] = useState(0)
  const fetchKey = `${loadCount}-${version}`
  const data = useQuery<Q>(query, variables, { fetchKey, fetchPolicy: 'store-and-network' })
  const reload = useCallback(() => setLoadCount((count) => count + 1), [])
  return [data, reload, loadCount]
}

const pauseMs = 3000

/** Loads a query again every three seconds while the page is visible. Use it for data that has no change events. */
export function useRepeatedQuery<Q extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Q> | null,
): void {
  const environment = useRelayEnvironment()
  const load = useEffectEvent((): Subscription | undefined => {
    if (!variables || document.hidden) return
    // A failure needs no message, because the data stays on the page and is soon loaded again.
    return fetchQuery<Q>(environment, query, variables).subscribe({ error: () => {} })
  })
  const key = JSON.stringify(variables)
  useEffect(() => {
    if (key === 'null') return
    let request: Subscription | undefined
    const timer = setInterval(() => {
      // Each of several subscriptions to a request that takes longer would have to be ended.
      if (!request || request.closed) request = load()
    }, pauseMs)
    return () => {
      clearInterval(timer)
      request?.unsubscribe()
    }
  }, [key])
}
