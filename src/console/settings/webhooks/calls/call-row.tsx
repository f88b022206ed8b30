import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  callRow_call$data,
  callRow_call$key,
} from '../../../../generated/console/callRow_call.graphql.ts'
import { quiet } from '../../../page/forms/action-button.tsx'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { fileSize } from '../../../text/file-size.ts'
import { Answer, LogRow, LogTime } from '../../layout/log-table.tsx'
import { CallDetails } from './call-details.tsx'

type Props = { call: callRow_call$key; onResent: () => void }

/** A call, which can be expanded to show what was sent. */
export function CallRow({ onResent, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  const call = useFragment(
    graphql`
      fragment callRow_call on WebhookCall {
        id createdAt method format status sizeBytes createdCount updatedCount staleCount skipped problems ignored
      }
    `,
    props.call,
  )
  const { id, createdAt, format, status, sizeBytes, problems, ignored } = call
  const isRefused = status >= 400
  return (
    <LogRow
      actions={
        <Button {...quiet} size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide details' : 'Show details'}
        </Button>
      }
      details={
        isOpen && (
          <ProblemBoundary>
            <LoadingBoundary>
              <CallDetails callID={id} onResent={onResent} />
            </LoadingBoundary>
          </ProblemBoundary>
        )
      }
    >
      <td>
        <Answer
          state={isRefused ? 'failed' : 'ok'}
          label={isRefused ? 'Failed' : 'Succeeded'}
          code={status}
        />
      </td>
      <td>
        {outcomeOf(call)}
        {problems.map((problem) => (
          <Text key={problem} size="sm" c="var(--mantine-color-error)">
            {problem}
          </Text>
        ))}
        {ignored.length > 0 && <Text size="sm">Fields that were left out: {ignored.join(', ')}</Text>}
      </td>
      <td>
        {format ?? 'plain URL'} · {fileSize(sizeBytes)}
      </td>
      <td>
        <LogTime time={createdAt} />
      </td>
    </LogRow>
  )
}

const otherOutcomes: Record<string, string> = { PATCH: 'Changed', DELETE: 'Deleted' }

/** Says what became of a call, such as "1 message posted, 2 updated". */
function outcomeOf(call: callRow_call$data): string {
  const { method, format, status, createdCount, updatedCount, staleCount, skipped } = call
  const counts = [
    [createdCount, 'posted'],
    [updatedCount, 'updated'],
    [staleCount, 'newer than the call'],
  ] as const
  const counted = counts.filter(([count]) => count > 0)
  if (counted.length > 0)
    return counted
      .map(([count, what], index) => `${count} ${index > 0 ? '' : messages(count)}${what}`)
      .join(', ')
  if (status >= 400) return 'Refused'
  if (skipped !== null && skipped !== undefined) return `Skipped: ${skipped}`
  if (method === 'PUT' && format === 'attachment') return 'File uploaded'
  return otherOutcomes[method] ?? 'Nothing to update'
}

function messages(count: number): string {
  return count === 1 ? 'message ' : 'messages '
}
