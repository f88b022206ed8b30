import { Button, CloseButton, Group, Text } from '@mantine/core'
import { type Failure, failureText } from './failure.ts'
import { ReloadButton } from './reload-button.tsx'
import { useRetry } from './use-retry.ts'

/** Replaces a menu or a dialog that could not be loaded. */
export function FailedLine({ error, onRetry, onClose }: Failure & { onClose: () => void }) {
  useRetry(onRetry)
  return (
    <Group gap="xs" px="xs" py={4} role="alert">
      <Text size="sm" c="var(--mantine-color-error)">
        {failureText(error)}
      </Text>
      <Button size="compact-xs" onClick={onRetry}>
        Try again
      </Button>
      <ReloadButton error={error} size="compact-xs" />
      <CloseButton size="sm" aria-label="Close" onClick={onClose} />
    </Group>
  )
}
