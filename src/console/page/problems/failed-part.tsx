import { type Failure, failureText } from './failure.ts'
import { Problem } from './problem.tsx'
import { ReloadButton } from './reload-button.tsx'
import { useRetry } from './use-retry.ts'

/**
 * Replaces a part of the page that could not be loaded. Loads the part again when the connection is back, and when the
 * person opens another page. Otherwise, the other page would show the problem of this page.
 */
export function FailedPart({ error, onRetry }: Failure) {
  useRetry(onRetry)
  return (
    <Problem title="This could not be loaded" text={failureText(error)} onRetry={onRetry}>
      <ReloadButton error={error} />
    </Problem>
  )
}
