import { Button, Group, NativeSelect, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { templatePreviewQuery } from '../../../../generated/console/templatePreviewQuery.graphql.ts'
import type { WebhookTemplatesInput } from '../../../../generated/console/usePreviewQuery.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemText } from '../../../page/problems/problem.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { useReloadedQuery } from '../../../relay/use-query.ts'
import { dateAndMinute } from '../../../text/time.ts'
import { PreviewedMessage } from './previewed-message.tsx'
import { type FieldProblem, usePreview } from './use-preview.ts'

type Props = {
  webhookID: string
  templates: WebhookTemplatesInput
  /** Called with the problems of the templates after each preview. */
  onProblems: (problems: readonly FieldProblem[]) => void
}

/** Shows what templates make of a body that the webhook received, before they are saved. */
export function TemplatePreview(props: Props) {
  return (
    <>
      <Title order={3}>Preview</Title>
      <ProblemBoundary>
        <LoadingBoundary>
          <CallPreview {...props} />
        </LoadingBoundary>
      </ProblemBoundary>
    </>
  )
}

function CallPreview({ webhookID, templates, onProblems }: Props) {
  const [{ node }, reload] = useReloadedQuery<templatePreviewQuery>(
    graphql`
      query templatePreviewQuery($webhookID: ID!) {
        node(id: $webhookID) {
          ... on Webhook @alias(as: "webhook") {
            id
            # The list of the last calls shows what this query finds, too.
            calls { id createdAt format status isBodyCut ...callRow_call }
          }
        }
      }
    `,
    { webhookID },
  )
  const calls = (node?.webhook?.calls ?? []).filter(({ isBodyCut }) => isBodyCut === false)
  const [chosen, setChosen] = useState<string | null>(null)
  const callID = calls.find(({ id }) => id === chosen)?.id ?? calls[0]?.id
  const { preview, isRunning, problem, run } = usePreview({ callID: callID ?? '', templates }, onProblems)
  const choose = (id: string) => {
    setChosen(id)
    onProblems([])
  }
  if (callID === undefined)
    return (
      <Group>
        <Text size="sm">
          There is no received body that you can see. Let the program send something to the URL first.
        </Text>
        <Button variant="default" size="xs" onClick={reload}>
          Look again
        </Button>
      </Group>
    )
  return (
    <>
      <NativeSelect
        label="Received body"
        description="The bodies of the last calls are stored for 24 hours, without secrets."
        data={calls.map(({ id, createdAt, format, status }) => ({
          value: id,
          label: `${dateAndMinute(createdAt)}, ${format ?? 'plain URL'}, ${status}`,
        }))}
        value={callID}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      <Group>
        <Button variant="default" loading={isRunning} onClick={run}>
          Show the preview
        </Button>
        <Button variant="default" onClick={reload}>
          Load newer calls
        </Button>
      </Group>
      <ProblemText problem={problem} />
      <div role="status">{preview && <PreviewedMessage preview={preview} />}</div>
    </>
  )
}
