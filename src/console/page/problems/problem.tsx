import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = { title: string; text: string; onRetry?: () => void; children?: ReactNode }

/** Says what is wrong and what to do, in place of the content. */
export function Problem({ title, text, onRetry, children }: Props) {
  return (
    <Stack align="center" justify="center" p="xl" role="alert">
      <Title order={1} size="h2" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {children}
    </Stack>
  )
}
