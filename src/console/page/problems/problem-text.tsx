import { Text } from '@mantine/core'

/** Shows why an action failed, beside its button. */
export function ProblemText({ problem }: { problem: string | null }) {
  if (problem === null) return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" style={{ whiteSpace: 'pre-line' }}>
      {problem}
    </Text>
  )
}
