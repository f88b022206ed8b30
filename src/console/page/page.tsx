import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../workspace/page-title.ts'
import styles from './page.module.css'

type Props = { title: string; actions?: ReactNode; children: ReactNode }

/** A page with a title, actions beside it, and content that scrolls. */
export function Page({ title, actions, children }: Props) {
  usePageTitle(title)
  return (
    <>
      <Group component="header" justify="space-between" px="md" py="sm">
        <Title order={1} size="h3">
          {title}
        </Title>
        {actions}
      </Group>
      <div className={styles.content}>{children}</div>
    </>
  )
}
