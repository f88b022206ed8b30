import { useThrottledCallback } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { useLiveAppsSubscription } from '../../../generated/console/useLiveAppsSubscription.graphql.ts'

const pauseMs = 1000

/** Calls a function when the webhooks or the installed apps change, at most once a second. */
export function useLiveApps(after: string | null | undefined, onChange: () => void): void {
  // `after` changes at each reload, and can be a cursor before the change that caused the reload. A new subscription
  // would deliver this change again.
  const [firstCursor] = useState(after)
  const changed = useThrottledCallback(onChange, pauseMs)
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription useLiveAppsSubscription($after: String) {
          events(
            types: [webhookCreated, webhookUpdated, webhookDisabled, webhookDeleted, appInstalled, appUninstalled]
            after: $after
          ) {
            cursor
          }
        }
      `,
      variables: { after: firstCursor },
      updater: changed,
    }),
    [firstCursor, changed],
  )
  useSubscription<useLiveAppsSubscription>(config)
}
