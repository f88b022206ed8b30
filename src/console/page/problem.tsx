import { Button, Stack, Text, Title } from '@mantine/core'

type Props = { title: string; text: string; onRetry?: () => void }

/** Says what is wrong and what to do, in place of the content. */
export function Problem({ title, text, onRetry }: Props) {
  return (
    <Stack align="center" justify="center" p="xl" role="alert">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </Stack>
  )
}
