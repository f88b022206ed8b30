import type { ReactNode } from 'react'
import type { Failure } from './failure.ts'
import { useRetry } from './use-retry.ts'

/** Replaces a part of the page that the person did not ask for. Shows its placeholder until it loads. */
export function FailedSilently({ onRetry, children }: Failure & { children: ReactNode }) {
  useRetry(onRetry)
  return children
}
