import type { ReactNode } from 'react'
import type { Failure } from './failure.ts'
import { useRetry } from './use-retry.ts'

/**
 * Shows the placeholder of a part that could not be loaded, and loads the part again like `FailedPart`. Shows no
 * problem, because the person did not ask for the part.
 */
export function FailedSilently({ onRetry, children }: Failure & { children: ReactNode }) {
  useRetry(onRetry)
  return children
}
