import { useThrottledCallback } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { graphql, useSubscription } from 'react-relay/hooks'
import type { useLiveAppsSubscription } from '../../../generated/console/useLiveAppsSubscription.graphql.ts'

const pauseMs = 1000

/** Calls a function when the webhooks or the installed apps change, at most once a second. */
export function useLiveApps(after: string | null | undefined, onChange: () => void): void {
  // `after` changes at each reload. A new subscription after an older cursor would deliver the same change again.
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
