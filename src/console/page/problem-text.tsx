import { Text } from '@mantine/core'

/** The problem of an action, beside the form. Nothing if there is no problem. */
export function ProblemText({ problem }: { problem: string | null | undefined }) {
  return (
    <Text component="div" role="alert" size="sm" c="var(--mantine-color-error)">
      {problem}
    </Text>
  )
}
