import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  callRow_call$data,
  callRow_call$key,
} from '../../../../generated/console/callRow_call.graphql.ts'
import { LoadingBoundary } from '../../../page/loading-boundary.tsx'
import { ProblemBoundary } from '../../../page/problems/problem-boundary.tsx'
import { fileSize } from '../../../text/file-size.ts'
import { dateAndTime } from '../../../text/time.ts'
import { Row } from '../../layout/rows.tsx'
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
  const facts = [status, format ?? 'plain URL', fileSize(sizeBytes), dateAndTime(createdAt)]
  return (
    <Row
      title={outcomeOf(call)}
      text={
        <>
          {facts.join(' · ')}
          {problems.map((problem) => (
            <Text key={problem} size="sm" c="var(--mantine-color-error)">
              {problem}
            </Text>
          ))}
          {ignored.length > 0 && <Text size="sm">Fields that were left out: {ignored.join(', ')}</Text>}
          {isOpen && (
            <ProblemBoundary>
              <LoadingBoundary>
                <CallDetails callID={id} onResent={onResent} />
              </LoadingBoundary>
            </ProblemBoundary>
          )}
        </>
      }
    >
      <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide details' : 'Show details'}
      </Button>
    </Row>
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
