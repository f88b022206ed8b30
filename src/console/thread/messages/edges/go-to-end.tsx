import { Button } from '@mantine/core'
import styles from '../message-list.module.css'

export function GoToEnd({ unreadCount, onClick }: { unreadCount: number; onClick: () => void }) {
  return (
    <Button className={styles.end ?? ''} size="compact-sm" radius="xl" onClick={onClick}>
      Jump to latest{unreadCount > 0 && ` (${unreadCount} new)`}
    </Button>
  )
}
