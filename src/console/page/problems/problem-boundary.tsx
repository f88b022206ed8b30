import { Component, type ReactNode } from 'react'
import { MissingWorkspaceError } from '../../relay/missing-workspace.ts'
import { AttemptContext } from '../../relay/use-query.ts'
import { Problem } from './problem.tsx'
import { ReloadButton } from './reload-button.tsx'
import { type Failure, failureText } from './script-error.ts'
import { useRetry } from './use-retry.ts'

type Props = {
  children: ReactNode
  /** Replaces the part after a failure. The default, `FailedPart`, suits a page or a large part of a page. */
  fallback?: (failure: Failure) => ReactNode
}
type State = { error: Error | null; attempt: number }

/** All boundaries share this number. Otherwise, a part that is shown again could reuse an attempt that failed. */
let lastAttempt = 0

/** Shows a problem in place of a part of the page that could not be loaded. */
export class ProblemBoundary extends Component<Props, State> {
  override state: State = { error: null, attempt: lastAttempt }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch() {
    lastAttempt += 1
  }

  override render() {
    const { error, attempt } = this.state
    if (!error) return <AttemptContext value={attempt}>{this.props.children}</AttemptContext>
    // The workspace boundary shows this problem in place of the whole page.
    if (error instanceof MissingWorkspaceError) throw error
    const onRetry = () => this.setState({ error: null, attempt: lastAttempt })
    return this.props.fallback?.({ error, onRetry }) ?? <FailedPart error={error} onRetry={onRetry} />
  }
}

/**
 * Replaces a part of the page that could not be loaded. Loads the part again when the connection is back, and when the
 * person opens another page. Otherwise, the other page would show the problem of this page.
 */
function FailedPart({ error, onRetry }: Failure) {
  useRetry(onRetry)
  return (
    <Problem title="This could not be loaded" text={failureText(error)} onRetry={onRetry}>
      <ReloadButton error={error} />
    </Problem>
  )
}
