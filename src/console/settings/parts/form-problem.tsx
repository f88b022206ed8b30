import { Text } from '@mantine/core'

/** Shows why a form was refused. */
export function FormProblem({ text }: { text: string | null }) {
  return (
    <div role="alert">
      {text !== null && (
        <Text size="sm" c="var(--mantine-color-error)">
          {text}
        </Text>
      )}
    </div>
  )
}
