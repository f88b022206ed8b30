import { Text } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { Avatar, type Pictured } from '../../page/avatar.tsx'
import { ShowMore } from '../../page/show-more.tsx'
import styles from './rows.module.css'

type RowsProps = {
  label: string
  /** What a list without rows shows. */
  empty?: string
  more?: ComponentProps<typeof ShowMore>
  children: ReactNode[]
}

/** A list of rows. Shows `empty` instead if there are none. With `more`, has a button that loads the next page. */
export function Rows({ label, empty, more, children }: RowsProps) {
  return (
    <>
      {children.length === 0 ? (
        <Text size="sm">{empty}</Text>
      ) : (
        <ul className={styles.rows} aria-label={label}>
          {children}
        </ul>
      )}
      {more && <ShowMore {...more} />}
    </>
  )
}

type RowProps = {
  title: string
  picture?: Pictured
  to?: string
  text?: ReactNode
  /** A short fact at the end of the row. */
  fact?: string
  /** Buttons. */
  children?: ReactNode
}

/** A row with a link has one line of text, because the page to which it leads has the rest. */
export function Row({ title, picture, to, text, fact, children }: RowProps) {
  return (
    <li className={styles.row} data-link={to !== undefined || undefined}>
      {picture && <Avatar user={picture} />}
      <div className={styles.content}>
        <div className={styles.text}>
          {to === undefined ? (
            <Text fw={500}>{title}</Text>
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
        {fact && <div className={styles.fact}>{fact}</div>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  )
}
