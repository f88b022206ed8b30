import { Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type Props = { title: string; text?: ReactNode; actions?: ReactNode; children?: ReactNode }

export function Section({ title, text, actions, children }: Props) {
  const id = useId()
  return (
    <Stack component="section" gap="md" mt="xl" aria-labelledby={id}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions && <Group gap="sm">{actions}</Group>}
        </Group>
        {text && <Text c="dimmed">{text}</Text>}
      </Stack>
      {children}
    </Stack>
  )
}
