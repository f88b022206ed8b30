import { Text } from '@mantine/core'

/** Shows why a form was refused. */
export function FormProblem({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {text}
    </Text>
  )
}
