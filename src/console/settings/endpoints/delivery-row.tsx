import { Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  deliveryRow_delivery$data,
  deliveryRow_delivery$key,
} from '../../../generated/console/deliveryRow_delivery.graphql.ts'
import type { deliveryRowReplayMutation } from '../../../generated/console/deliveryRowReplayMutation.graphql.ts'
import type { deliveryRowSkipMutation } from '../../../generated/console/deliveryRowSkipMutation.graphql.ts'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { dateAndTime } from '../../text/time.ts'
import { Row } from '../layout/rows.tsx'
import styles from './delivery-row.module.css'
import { deliveryLabel } from './event-types.ts'

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
  const count = `${attemptCount} ${attemptCount === 1 ? 'attempt' : 'attempts'}`
  return (
    <Row
      title={deliveryLabel(type)}
      text={
        <>
          {statusLabels[status] ?? status} · {count} · {dateAndTime(createdAt)}
          {isOpen && (
            <>
              <Text size="xs">{eventID}</Text>
              {attempts.length === 0 && <Text size="sm">No attempts yet.</Text>}
              {attempts.map((attempt) => (
                <Attempt key={attempt.number} attempt={attempt} />
              ))}
            </>
          )}
        </>
      }
    >
      <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide attempts' : 'Show attempts'}
      </Button>
      <ActionButton<deliveryRowReplayMutation>
        label="Send again"
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
    </Row>
  )
}

const statusLabels: Record<string, string> = {
  pending: 'Pending',
  succeeded: 'Succeeded',
  failed: 'Failed',
  dropped: 'Dropped',
  skipped: 'Skipped',
}

/** A request to an endpoint, and its response. */
function Attempt({ attempt }: { attempt: deliveryRow_delivery$data['attempts'][number] }) {
  const { number, startedAt, durationMs, status, error, response } = attempt
  const outcome = status ? `status ${status}` : (error?.replace(/\.$/, '') ?? 'no response')
  return (
    <div>
      <Text size="sm">
        Attempt {number}: {outcome}, {durationMs} ms, {dateAndTime(startedAt)}
      </Text>
      {response && (
        <Code block className={styles.response}>
          {response}
        </Code>
      )}
    </div>
  )
}
