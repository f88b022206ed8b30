import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Header } from './header.tsx'
import styles from './page.module.css'
import { usePageTitle } from './use-page-title.ts'

type Props = { title: string; actions?: ReactNode; children: ReactNode }

export function Page({ title, actions, children }: Props) {
  usePageTitle(title)
  return (
    <>
      <Header>
        <Title order={1} size="h2">
          {title}
        </Title>
        {actions}
      </Header>
      <div className={styles.content}>{children}</div>
    </>
  )
}
