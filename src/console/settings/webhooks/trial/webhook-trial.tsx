import { Stack } from '@mantine/core'
import { graphql } from 'react-relay/hooks'
import type { webhookTrialQuery } from '../../../../generated/console/webhookTrialQuery.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { useQuery } from '../../../relay/use-query.ts'
import { SecretOnce } from '../../secrets/secret-once.tsx'
import { SenderExamples } from '../senders/sender-examples.tsx'
import { FirstCall } from './first-call.tsx'

type Props = { name: string; userID: string; url: string }

/** Shows the URL of a webhook once, with examples that call it, and waits for the first call. */
export function WebhookTrial({ name, userID, url }: Props) {
  return (
    <Stack mt="md">
      <SecretOnce label="Webhook URL" value={url} />
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
