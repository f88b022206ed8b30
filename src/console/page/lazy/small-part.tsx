import { Button, CloseButton, Group, Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { ProblemBoundary } from '../problems/problem-boundary.tsx'
import { ReloadButton } from '../problems/reload-button.tsx'
import { type Failure, failureText } from '../problems/script-error.ts'
import { useRetry } from '../problems/use-retry.ts'

type Props = {
  children: ReactNode
  /** Closes the line that shows a problem. Without `onClose`, a failure shows the placeholder instead. */
  onClose?: () => void
  placeholder?: ReactNode
}

/** Contains a menu or a dialog that is loaded when it is needed. If it cannot be loaded, the rest of the page stays. */
export function SmallPart({ children, onClose, placeholder = null }: Props) {
  return (
    <ProblemBoundary
      fallback={(failure) =>
        onClose ? (
          <FailedLine {...failure} onClose={onClose} />
        ) : (
          <FailedSilently {...failure}>{placeholder}</FailedSilently>
        )
      }
    >
      <Suspense fallback={placeholder}>{children}</Suspense>
    </ProblemBoundary>
  )
}

/** Replaces a menu or a dialog that could not be loaded. */
function FailedLine({ error, onRetry, onClose }: Failure & { onClose: () => void }) {
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

/**
 * Shows the placeholder of a part that could not be loaded, and loads the part again like `FailedPart`. Shows no
 * problem, because the person did not ask for the part.
 */
function FailedSilently({ onRetry, children }: Failure & { children: ReactNode }) {
  useRetry(onRetry)
  return children
}
