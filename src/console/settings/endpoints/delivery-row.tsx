import { Button } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  deliveryRow_delivery$data,
  deliveryRow_delivery$key,
} from '../../../generated/console/deliveryRow_delivery.graphql.ts'
import type { deliveryRowReplayMutation } from '../../../generated/console/deliveryRowReplayMutation.graphql.ts'
import type { deliveryRowSkipMutation } from '../../../generated/console/deliveryRowSkipMutation.graphql.ts'
import { ActionButton, quiet } from '../../page/forms/action-button.tsx'
import { PathIcon } from '../../page/icon.tsx'
import { dateAndTime } from '../../text/time.ts'
import { Answer, LogRow, LogTime } from '../layout/log-table.tsx'
import styles from './delivery-row.module.css'
import { deliveryLabel } from './event-types.ts'

/** From Tabler Icons (page/icon.LICENSE). */
const rotateIcon = 'M4.1 11a8 8 0 1 1 .5 4m-.5 5v-5h5'

/** A delivery, which can be expanded to show its attempts. */
export function DeliveryRow({ delivery }: { delivery: deliveryRow_delivery$key }) {
  const [isOpen, setOpen] = useState(false)
  const { id, type, eventID, status, attemptCount, attempts, createdAt } = useFragment(
    graphql`
      fragment deliveryRow_delivery on EventDelivery {
        id type eventID status attemptCount createdAt
        attempts { number startedAt durationMs status error response }
      }
    `,
    delivery,
  )
  const variables = { input: { deliveryID: id } }
  const { state, label } = statuses[status] ?? { state: null, label: status }
  const isAnswered = status === 'succeeded' || status === 'failed'
  return (
    <LogRow
      actions={
        <>
          <Button {...quiet} size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide attempts' : 'Show attempts'}
          </Button>
          <ActionButton<deliveryRowReplayMutation>
            label="Send again"
            icon={<PathIcon path={rotateIcon} size={16} />}
            isQuiet
            mutation={graphql`
              mutation deliveryRowReplayMutation($input: ReplayDeliveryInput!) {
                replayDelivery(input: $input) { delivery { id status ...deliveryRow_delivery } }
              }
            `}
            variables={variables}
          />
          {status === 'pending' && (
            <ActionButton<deliveryRowSkipMutation>
              label="Skip"
              isQuiet
              confirmation={{
                title: 'Skip this delivery?',
                text: 'Its event is not sent. The next event of the thread is sent now.',
              }}
              mutation={graphql`
                mutation deliveryRowSkipMutation($input: SkipDeliveryInput!) {
                  skipDelivery(input: $input) { delivery { id status ...deliveryRow_delivery } }
                }
              `}
              variables={variables}
            />
          )}
        </>
      }
      details={isOpen && <Attempts eventID={eventID} attempts={attempts} />}
    >
      <td>
        <Answer state={state} label={label} code={(isAnswered && attempts.at(-1)?.status) || null} />
      </td>
      <td>{deliveryLabel(type)}</td>
      <td>
        {attemptCount}
        <span className={styles.unit}> {attemptCount === 1 ? 'attempt' : 'attempts'}</span>
      </td>
      <td>
        <LogTime time={createdAt} />
      </td>
    </LogRow>
  )
}

const statuses: Record<string, { state: 'running' | 'failed' | 'ok' | null; label: string }> = {
  pending: { state: 'running', label: 'Pending' },
  succeeded: { state: 'ok', label: 'Succeeded' },
  failed: { state: 'failed', label: 'Failed' },
  dropped: { state: null, label: 'Dropped' },
  skipped: { state: null, label: 'Skipped' },
}

type AttemptsProps = Pick<deliveryRow_delivery$data, 'eventID' | 'attempts'>

/** The requests that were sent for a delivery, and their responses. */
function Attempts({ eventID, attempts }: AttemptsProps) {
  return (
    <div className={styles.attempts}>
      <div className={styles.event}>{eventID}</div>
      {attempts.length === 0 && <div>No attempts yet.</div>}
      {attempts.map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </div>
  )
}

function Attempt({ attempt }: { attempt: deliveryRow_delivery$data['attempts'][number] }) {
  const { number, startedAt, durationMs, status, error, response } = attempt
  const outcome = status ? `status ${status}` : (error?.replace(/\.$/, '') ?? 'no response')
  return (
    <div>
      Attempt {number}: {outcome}, {durationMs} ms, {dateAndTime(startedAt)}
      {response && <pre className={styles.response}>{response}</pre>}
    </div>
  )
}
