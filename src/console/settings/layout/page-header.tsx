import { Badge, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { Icon } from '../../page/icon.tsx'
import { usePageTitle } from '../../page/use-page-title.ts'
import styles from './page-header.module.css'

type Props = {
  title: string
  /** The page above this one. Its path is relative to the settings. */
  parent?: { path: string; label: string }
  state?: string | undefined
  children?: ReactNode
}

/** The header of a settings page. It also sets the title of the tab. */
export function PageHeader({ title, parent, state, children }: Props) {
  usePageTitle(title)
  const { workspaceID } = useParams()
  return (
    <header>
      {parent && (
        <Link
          className={styles.parent ?? ''}
          to={`/${workspaceID}/settings/${parent.path}`}
          aria-label={`Back to ${parent.label}`}
        >
          <Icon name="back" size={16} />
          {parent.label}
        </Link>
      )}
      <Group gap="sm">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {state !== undefined && <Badge>{state}</Badge>}
      </Group>
      {children && (
        <Text mt={4} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      )}
    </header>
  )
}
