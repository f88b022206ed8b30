import { Button, NativeSelect, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { EventDeliveryStatus } from '../../../../generated/console/deliveryListQuery.graphql.ts'
import type { deliveryLogReplayMutation } from '../../../../generated/console/deliveryLogReplayMutation.graphql.ts'
import { Loading } from '../../../page/loading.tsx'
import { Section } from '../../layout/section.tsx'
import { ActionButton } from '../../parts/action-button.tsx'
import { DeliveryList } from './delivery-list.tsx'

type Props = { endpointID: string; fetchKey: number; onReload: () => void }

const statuses = [
  { value: '', label: 'All deliveries' },
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'dropped', label: 'Dropped' },
]

/** What was sent to an endpoint, and what it answered. */
export function DeliveryLog({ endpointID, fetchKey, onReload }: Props) {
  const [status, setStatus] = useState('')
  const [repeated, setRepeated] = useState<number | null>(null)
  return (
    <Section
      title="Deliveries"
      text="The newest are first. They are kept for some days, usually seven."
      actions={
        <>
          <ActionButton<deliveryLogReplayMutation>
            label="Send all failed again"
            question={{
              title: 'Send all failed deliveries again?',
              text: 'Each event has the same ID as before. Your program can ignore what it has handled.',
            }}
            mutation={graphql`
              mutation deliveryLogReplayMutation($input: ReplayDeliveriesInput!) {
                replayDeliveries(input: $input) { deliveryCount }
              }
            `}
            variables={{ input: { endpointID, failed: true } }}
            onDone={({ replayDeliveries }) => {
              setRepeated(replayDeliveries?.deliveryCount ?? 0)
              onReload()
            }}
          />
          <Button variant="default" size="xs" onClick={onReload}>
            Refresh
          </Button>
          <NativeSelect
            size="xs"
            aria-label="Status"
            data={statuses}
            value={status}
            onChange={(event) => setStatus(event.currentTarget.value)}
          />
        </>
      }
    >
      <Text size="sm" role="status">
        {repeated !== null && `${repeated} ${repeated === 1 ? 'delivery is' : 'deliveries are'} sent again.`}
      </Text>
      <Suspense fallback={<Loading />}>
        <DeliveryList
          endpointID={endpointID}
          status={status === '' ? null : (status as EventDeliveryStatus)}
          fetchKey={fetchKey}
        />
      </Suspense>
    </Section>
  )
}
