import type { ReactNode } from 'react'
import { PathIcon } from '../../page/icon.tsx'
import styles from './secret-notice.module.css'

/** From Tabler Icons (page/icon.LICENSE). */
const key =
  'M16.6 3.8l3.6 3.6a2.9 2.9 0 0 1 0 4.1l-2.7 2.7a2.9 2.9 0 0 1-4 0l-.3-.3-6.6 6.5a2 2 0 0 1-1.2.6h-1.4a1 1 0 0 1-1-.9v-1.3a2 2 0 0 1 .5-1.3l.5-.5h2v-2h2v-2l2.2-2.1-.3-.3a2.9 2.9 0 0 1 0-4.1l2.6-2.6a2.9 2.9 0 0 1 4.1-.1M15 9h.01'

/** A box that says what a person must know about a secret. */
export function SecretNotice({ children }: { children: ReactNode }) {
  return (
    <p className={styles.notice}>
      <PathIcon path={key} size={16} />
      <span>{children}</span>
    </p>
  )
}
