import { Component, type ReactNode } from 'react'
import { Problem } from './problem.tsx'

type Props = { children: ReactNode; onRetry?: () => void }

/** Shows a problem in place of a part of the page that could not be loaded. */
export class ProblemBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const retry = () => {
      this.props.onRetry?.()
      this.setState({ error: null })
    }
    return <Problem title="This could not be loaded" text={error.message} onRetry={retry} />
  }
}
