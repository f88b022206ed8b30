import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
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
