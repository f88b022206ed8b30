import { dayOf, isSameDay } from '../../text/time.ts'
import styles from './separators.module.css'

type Timed = { createdAt: string }
type Props = { message: Timed; previous: Timed | undefined; isFirstUnread: boolean }

/** The lines above the first message of a day and above the first unread message. */
export function Separators({ message, previous, isFirstUnread }: Props) {
  const isNewDay = !previous || !isSameDay(message.createdAt, previous.createdAt)
  return (
    <>
      {isNewDay && <h2 className={styles.day}>{dayOf(message.createdAt)}</h2>}
      {isFirstUnread && <h2 className={styles.unread}>New</h2>}
    </>
  )
}
