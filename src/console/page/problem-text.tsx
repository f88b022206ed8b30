import { Text } from '@mantine/core'

/** Shows why an action failed, beside its form. */
export function ProblemText({ problem }: { problem: string | null | undefined }) {
  return (
    <Text component="div" role="alert" size="sm" c="var(--mantine-color-error)">
      {problem}
    </Text>
  )
}
