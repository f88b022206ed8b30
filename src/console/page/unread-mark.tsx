import styles from './unread-mark.module.css'

/** The service counts at most this many. */
const mostCounted = 1000

/** Returns 1,000 and more as 999+. */
export function countText(count: number): string {
  return count < mostCounted ? String(count) : `${mostCounted - 1}+`
}

/** A number, or the sign of a mention. It means that something is for the person themselves. */
export function Count({ value, label }: { value: number | '@'; label: string }) {
  return (
    <span className={styles.count} role="img" aria-label={label}>
      {value === '@' ? value : countText(value)}
    </span>
  )
}

/** Marks what is unread, but is not for the person themselves. Without a label, the dot has faded. */
export function Dot({ label }: { label: string | null }) {
  if (label === null) return <span className={styles.dot} aria-hidden />
  return <span className={styles.dot} role="img" aria-label={label} />
}
