import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { graphql } from 'react-relay/hooks'
import type { EventDeliveryStatus } from '../../../generated/console/deliveryListQuery.graphql.ts'
import type { deliveryLogReplayMutation } from '../../../generated/console/deliveryLogReplayMutation.graphql.ts'
import { FilterTabs } from '../../page/filter-tabs.tsx'
import { ActionButton } from '../../page/forms/action-button.tsx'
import { LoadingBoundary } from '../../page/loading-boundary.tsx'
import { Section } from '../layout/section.tsx'
import { DeliveryList } from './delivery-list.tsx'

type Props = { endpointID: string; fetchKey: number; onReload: () => void }

const filters: [EventDeliveryStatus | 'all', string][] = [
  ['all', 'All'],
  ['pending', 'Pending'],
  ['failed', 'Failed'],
  ['succeeded', 'Succeeded'],
  ['dropped', 'Dropped'],
  ['skipped', 'Skipped'],
]

/** The deliveries to an endpoint, with a filter by status. */
export function DeliveryLog({ endpointID, fetchKey, onReload }: Props) {
  const [filter, setFilter] = useState<EventDeliveryStatus | 'all'>('all')
  const [resentCount, setResentCount] = useState<number | null>(null)
  return (
    <Section
      title="Deliveries"
      text="The newest deliveries come first. They are kept for seven days, unless the operator sets another time."
      actions={
        <>
          <ActionButton<deliveryLogReplayMutation>
            label="Resend all failed deliveries"
            confirmation={{
              title: 'Resend all failed deliveries?',
              text: 'Each event keeps its ID. Your program can ignore events that it has already handled.',
            }}
            mutation={graphql`
              mutation deliveryLogReplayMutation($input: ReplayDeliveriesInput!) {
                replayDeliveries(input: $input) { deliveryCount }
              }
            `}
            variables={{ input: { endpointID, failed: true } }}
            onDone={({ replayDeliveries }) => {
              setResentCount(replayDeliveries?.deliveryCount ?? 0)
              onReload()
            }}
          />
          <Button variant="default" size="xs" onClick={onReload}>
            Refresh
          </Button>
        </>
      }
    >
      <Text size="sm" role="status">
        {resentCount !== null &&
          `${resentCount} ${resentCount === 1 ? 'delivery is' : 'deliveries are'} being sent again.`}
      </Text>
      <FilterTabs label="Show deliveries" filters={filters} filter={filter} onChange={setFilter} />
      <LoadingBoundary>
        <DeliveryList endpointID={endpointID} status={filter === 'all' ? null : filter} fetchKey={fetchKey} />
      </LoadingBoundary>
    </Section>
  )
}
