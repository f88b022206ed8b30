import { Anchor, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './page.module.css'

/** The bar above the content of a page or a pane. All bars have the same height. */
export function Header({ children }: { children: ReactNode }) {
  return (
    <Group
      component="header"
      className={styles.header ?? ''}
      px="md"
      py={6}
      justify="space-between"
      wrap="nowrap"
    >
      {children}
    </Group>
  )
}

/** A link to the list from which the page was opened. Only a narrow screen needs it. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Anchor component={Link} to={to} hiddenFrom="md" size="sm" px="md" pt="xs">
      ← {label}
    </Anchor>
  )
}
