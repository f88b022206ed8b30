import { type Failure, failureText } from './failure.ts'
import { Problem } from './problem.tsx'
import { ReloadButton } from './reload-button.tsx'
import { useRetry } from './use-retry.ts'

/**
 * Replaces a part of the page that could not be loaded. It loads again when the connection is back, and when the person
 * opens another page, which would otherwise show the problem of this one.
 */
export function FailedPart({ error, onRetry }: Failure) {
  useRetry(onRetry)
  return (
    <Problem title="This could not be loaded" text={failureText(error)} onRetry={onRetry}>
      <ReloadButton error={error} />
    </Problem>
  )
}
