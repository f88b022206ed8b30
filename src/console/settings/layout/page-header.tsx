import { Anchor, Badge, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { usePageTitle } from '../../page/use-page-title.ts'

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
        <Anchor component={Link} size="sm" to={`/${workspaceID}/settings/${parent.path}`}>
          ← {parent.label}
        </Anchor>
      )}
      <Group gap="sm">
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {state !== undefined && <Badge>{state}</Badge>}
      </Group>
      {children && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      )}
    </header>
  )
}
