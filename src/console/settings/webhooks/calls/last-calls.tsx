import { graphql } from 'react-relay/hooks'
import type { lastCallsQuery } from '../../../../generated/console/lastCallsQuery.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { useReloadedQuery, useRepeatedQuery } from '../../../relay/use-query.ts'
import { LogTable } from '../../layout/log-table.tsx'
import { Section } from '../../layout/section.tsx'
import { CallRow } from './call-row.tsx'

/** The last calls of a webhook. The list loads again every few seconds. */
export function LastCalls({ webhookID }: { webhookID: string }) {
  return (
    <Section
      title="Last calls"
      text="The newest of the last 50 calls come first. Their bodies are stored for 24 hours, without secrets."
    >
      <ProblemBoundary>
        <LoadingBoundary>
          <CallList webhookID={webhookID} />
        </LoadingBoundary>
      </ProblemBoundary>
    </Section>
  )
}

const callsQuery = graphql`
  query lastCallsQuery($webhookID: ID!) {
    node(id: $webhookID) { ... on Webhook @alias(as: "webhook") { id calls { id ...callRow_call } } }
  }
`

function CallList({ webhookID }: { webhookID: string }) {
  const [{ node }, reload] = useReloadedQuery<lastCallsQuery>(callsQuery, { webhookID })
  useRepeatedQuery<lastCallsQuery>(callsQuery, { webhookID })
  return (
    <LogTable
      label="Last calls"
      columns={['Answer', 'Result', 'Format', 'Time']}
      empty="There are no calls yet. A call appears here within seconds."
    >
      {(node?.webhook?.calls ?? []).map((call) => (
        <CallRow key={call.id} call={call} onResent={reload} />
      ))}
    </LogTable>
  )
}
