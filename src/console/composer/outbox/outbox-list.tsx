import { Button, Group, Loader, Text } from '@mantine/core'
import styles from './outbox-list.module.css'
import type { Outgoing } from './outgoing.ts'

type Props = {
  items: readonly Outgoing[]
  onRetry: (item: Outgoing) => void
  onEdit: (item: Outgoing) => void
  onDiscard: (item: Outgoing) => void
}

/** The messages that are being sent, and those that could not be sent. */
export function OutboxList({ items, onRetry, onEdit, onDiscard }: Props) {
  if (items.length === 0) return null
  return (
    <div className={styles.list}>
      {items.map((item) => (
        <div key={item.key} className={styles.item}>
          <div className={styles.text}>{item.text || item.files.map(({ name }) => name).join(', ')}</div>
          {item.problem === null ? (
            <Group gap="xs">
              <Loader size={12} aria-hidden />
              <Text size="xs" c="dimmed">
                Sending …
              </Text>
            </Group>
          ) : (
            <Group gap="xs" role="alert">
              <Text size="sm" c="var(--mantine-color-error)">
                Not sent. {item.problem}
              </Text>
              <Button size="compact-xs" onClick={() => onRetry(item)}>
                Try again
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => onEdit(item)}>
                Edit
              </Button>
              <Button size="compact-xs" variant="default" onClick={() => onDiscard(item)}>
                Discard
              </Button>
            </Group>
          )}
        </div>
      ))}
    </div>
  )
}
