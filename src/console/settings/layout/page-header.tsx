import { Anchor, Badge, Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'

type Props = {
  title: string
  /** The page above, by its path below the settings. */
  parent?: { path: string; label: string }
  state?: string | undefined
  children?: ReactNode
}

export function PageHeader({ title, parent, state, children }: Props) {
  const { workspaceID } = useParams()
  return (
    <header>
      {parent && (
        <Anchor component={Link} size="sm" to={`/${workspaceID}/settings/${parent.path}`}>
          ← {parent.label}
        </Anchor>
      )}
      <Group gap="sm">
        <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Title>
        {state !== undefined && (
          <Badge variant="outline" color="gray">
            {state}
          </Badge>
        )}
      </Group>
      {children && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {children}
        </Text>
      )}
    </header>
  )
}
