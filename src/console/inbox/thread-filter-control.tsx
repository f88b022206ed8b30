import { SegmentedControl } from '@mantine/core'

type Filter = 'all' | 'unread'
type Props = { filter: Filter; onChange: (filter: Filter) => void }

export function ThreadFilterControl({ filter, onChange }: Props) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show threads"
      value={filter}
      onChange={(value) => onChange(value as Filter)}
      data={[
        { value: 'all', label: 'All' },
        { value: 'unread', label: 'Unread' },
      ]}
    />
  )
}
