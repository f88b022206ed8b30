import { useEffect, useRef, useState } from 'react'
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

type Variables = usePreviewQuery['variables']

/** Asks for a preview, and holds the last one. It is null if the call or the templates have changed since then. */
export function usePreview(variables: Variables, onProblems: (problems: readonly FieldProblem[]) => void) {
  const environment = useRelayEnvironment()
  const [answer, setAnswer] = useState<{ key: string; preview: Preview | null } | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const key = JSON.stringify(variables)
  const latest = useRef(key)
  useEffect(() => {
    latest.current = key
  }, [key])
  const run = () => {
    setRunning(true)
    setProblem(null)
    fetchQuery<usePreviewQuery>(environment, query, variables, {
      networkCacheConfig: { force: true },
      fetchPolicy: 'network-only',
    }).subscribe({
      next: ({ node }) => {
        setAnswer({ key, preview: node?.call ?? null })
        if (latest.current === key) onProblems(node?.call?.preview?.problems ?? [])
      },
      error: (error: Error) => {
        setRunning(false)
        setProblem(errorText(error))
      },
      complete: () => setRunning(false),
    })
  }
  return { preview: answer?.key === key ? answer.preview : null, isRunning, problem, run }
}
