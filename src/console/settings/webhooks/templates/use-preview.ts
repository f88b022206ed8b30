import { useState } from 'react'
import { fetchQuery, graphql, useRelayEnvironment } from 'react-relay/hooks'
import type { usePreviewQuery } from '../../../../generated/console/usePreviewQuery.graphql.ts'
import { errorText } from '../../../relay/error-text.ts'

export type FieldProblem = { readonly field: string; readonly message: string }

type Call = NonNullable<NonNullable<usePreviewQuery['response']['node']>['call']>
export type Preview = Pick<Call, 'body' | 'preview'>

const query = graphql`
  query usePreviewQuery($callID: ID!, $templates: WebhookTemplatesInput!) {
    node(id: $callID) {
      ... on WebhookCall @alias(as: "call") {
        id body
        preview(templates: $templates) { fields { field value } html skipped ignored problems { field message } }
      }
    }
  }
`

/** Asks for a preview, and holds the last one. */
export function usePreview(onProblems: (problems: readonly FieldProblem[]) => void) {
  const environment = useRelayEnvironment()
  const [preview, setPreview] = useState<Preview | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = (variables: usePreviewQuery['variables']) => {
    setRunning(true)
    setProblem(null)
    fetchQuery<usePreviewQuery>(environment, query, variables, {
      networkCacheConfig: { force: true },
      fetchPolicy: 'network-only',
    }).subscribe({
      next: ({ node }) => {
        setPreview(node?.call ?? null)
        onProblems(node?.call?.preview?.problems ?? [])
      },
      error: (error: Error) => {
        setRunning(false)
        setProblem(errorText(error))
      },
      complete: () => setRunning(false),
    })
  }
  return { preview, isRunning, problem, run }
}
