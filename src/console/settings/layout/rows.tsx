import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './rows.module.css'

/** A list of rows. Shows `empty` instead if there are none. */
export function Rows({ label, empty, children }: { label: string; empty: string; children: ReactNode[] }) {
  if (children.length === 0) return <Text size="sm">{empty}</Text>
  return (
    <ul className={styles.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = { title: string; to?: string; text?: ReactNode; children?: ReactNode }

export function Row({ title, to, text, children }: RowProps) {
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        {to === undefined ? (
          <Text fw={600}>{title}</Text>
        ) : (
          <Link className={styles.link} to={to}>
            {title}
          </Link>
        )}
        {text && (
          <Text size="sm" c="dimmed" component="div">
            {text}
          </Text>
        )}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  )
}
