import type { ReactNode } from 'react'
import styles from './file-card.module.css'
import { Icon } from './icon.tsx'

type Props = {
  name: string
  /** What is below the name, such as the size of the file. */
  detail: ReactNode
  /** Buttons. */
  children: ReactNode
}

/** A file that is attached to a message, or will be. */
export function FileCard({ name, detail, children }: Props) {
  return (
    <div className={styles.card}>
      <Icon name="file" />
      <div className={styles.text}>
        <bdi className={styles.name}>{name}</bdi>
        <div className={styles.detail}>{detail}</div>
      </div>
      {children}
    </div>
  )
}
