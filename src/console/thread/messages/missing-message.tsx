import { Button } from '@mantine/core'
import { Problem } from '../../page/problems/problem.tsx'
import styles from './message-list.module.css'

/** Replaces the list if the message of the URL is not in the thread. */
export function MissingMessage({ onGoToEnd }: { onGoToEnd: () => void }) {
  return (
    <div className={styles.missing}>
      <Problem title="Message not found" text="It does not exist, or you cannot see it." />
      <Button onClick={onGoToEnd}>Show the latest messages</Button>
    </div>
  )
}
