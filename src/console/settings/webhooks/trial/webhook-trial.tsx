import { Stack } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { webhookTrialQuery } from '../../../../generated/console/webhookTrialQuery.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { useQuery } from '../../../relay/use-query.ts'
import { SecretNotice } from '../../secrets/secret-notice.tsx'
import { SecretOnce } from '../../secrets/secret-once.tsx'
import { SenderExamples } from '../senders/sender-examples.tsx'
import { FirstCall } from './first-call.tsx'

/** Shows the URL of a webhook once. */
export function NewURL({ url }: { url: string }) {
  return (
    <>
      <SecretOnce label="Webhook URL" value={url} />
      <SecretNotice>
        Anyone who has this URL can post. Treat it as a password. You can replace it at any time.
      </SecretNotice>
    </>
  )
}

type Props = { name: string; userID: string; url: string }

/** Shows examples that call a webhook, and waits for the first call. */
export function WebhookTrial({ name, userID, url }: Props) {
  return (
    <Stack gap="md">
      <ProblemBoundary>
        <LoadingBoundary>
          <SenderExamples name={name} url={url} />
          <NextCall userID={userID} />
        </LoadingBoundary>
      </ProblemBoundary>
    </Stack>
  )
}

function NextCall({ userID }: { userID: string }) {
  const { latestEventCursor } = useQuery<webhookTrialQuery>(
    graphql`query webhookTrialQuery { latestEventCursor }`,
    {},
    { fetchPolicy: 'network-only' },
  )
  return <FirstCall userID={userID} after={latestEventCursor ?? null} />
}
