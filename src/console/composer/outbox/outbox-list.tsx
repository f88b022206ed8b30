import { Button, Group, Text } from '@mantine/core'
import { CopyButton } from '../../page/copying.tsx'
import { useEntries } from '../../people/picker/use-entries.ts'
import { useIsConnected } from '../../session/connection.ts'
import { plainPreview, previewMentions } from '../../text/plain-preview.ts'
import { readMarkdown } from '../field-text/field-markdown.ts'
import type { Outgoing } from './outbox.ts'
import styles from './outbox-list.module.css'
import { isWaiting } from './use-outbox.ts'

const waitingText = 'Not sent yet. The message is sent when the connection is restored.'

type Props = {
  items: readonly Outgoing[]
  onRetry: (item: Outgoing) => void
  /** Null if the message cannot be edited. Its text can then be copied. */
  onEdit: ((item: Outgoing) => void) | null
  onDiscard: (item: Outgoing) => void
}

/** The messages that are being sent, and the messages that could not be sent. */
export function OutboxList({ items, onRetry, onEdit, onDiscard }: Props) {
  const isConnected = useIsConnected()
  if (items.length === 0) return null
  return (
    <div className={styles.list}>
      {items.map((item) => (
        <div key={item.key} className={styles.item}>
          <div className={styles.text}>
            <OutgoingText text={item.text} />
          </div>
          {item.problem === null ? (
            <Text size="xs" c="dimmed">
              Sending…
            </Text>
          ) : (
            <Group gap="xs" role="alert">
              <Text size="sm" c="var(--mantine-color-error)">
                {!isConnected && isWaiting(item) ? waitingText : `Sending failed. ${item.problem}`}
              </Text>
              <Button size="compact-xs" onClick={() => onRetry(item)}>
                Try again
              </Button>
              {onEdit ? (
                <Button size="compact-xs" variant="default" onClick={() => onEdit(item)}>
                  Edit
                </Button>
              ) : (
                <CopyButton size="compact-xs" label="Copy text" text={readMarkdown(item.text).text} />
              )}
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

/** The beginning of a message that has not been sent yet. */
function OutgoingText({ text }: { text: string }) {
  const { known } = useEntries(previewMentions(text))
  return plainPreview(text, (id) => known.get(id)?.name)
}
