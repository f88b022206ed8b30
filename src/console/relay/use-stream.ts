import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment, useSubscription } from 'react-relay/hooks'
import type { GraphQLSubscriptionConfig, OperationType, Subscription } from 'relay-runtime'
import type { useStreamQuery } from '../../generated/console/useStreamQuery.graphql.ts'

const pauseMs = 1000

type Config<S extends OperationType> = Pick<
  GraphQLSubscriptionConfig<S>,
  'subscription' | 'variables' | 'updater'
>
type Options = {
  /** A cursor from before the data was loaded. Later values have no effect, because the stream is already after them. */
  after: string | null | undefined
  /** Loads the data again. */
  reload: () => void
}

/**
 * Subscribes to a stream of events after a cursor. If the stream ends, for example because the cursor has expired, begins
 * again after the latest event, and calls `reload`, because events may be missing.
 */
export function useStream<S extends OperationType>(config: Config<S>, { after, reload }: Options): void {
  const environment = useRelayEnvironment()
  const [start, setStart] = useState({ after })
  const [endCount, setEndCount] = useState(0)
  const onEnd = useCallback(() => setEndCount((count) => count + 1), [])
  const begin = useEffectEvent(({ latestEventCursor }: useStreamQuery['response']) => {
    setStart({ after: latestEventCursor })
    reload()
  })
  useEffect(() => {
    if (endCount === 0) return
    let request: Subscription | undefined
    const timer = setTimeout(() => {
      const query = graphql`query useStreamQuery { latestEventCursor }`
      request = fetchQuery<useStreamQuery>(environment, query, {}).subscribe({
        next: (response) => begin(response),
        error: onEnd,
      })
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      request?.unsubscribe()
    }
  }, [endCount, environment, onEnd])
  useSubscription<S>(
    useMemo(
      () => ({ ...config, variables: { ...config.variables, ...start }, onError: onEnd, onCompleted: onEnd }),
      [config, start, onEnd],
    ),
  )
}
