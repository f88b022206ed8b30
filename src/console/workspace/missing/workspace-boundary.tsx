import { Component, type ReactNode } from 'react'
import { MissingWorkspaceError } from '../../relay/missing-workspace.ts'
import { MissingWorkspace } from './missing-workspace.tsx'

type Props = { workspaceID: string; children: ReactNode }
type State = { error: unknown }

/** Shows that the workspace was not found. The person may also be removed from the workspace while the page is open. */
export class WorkspaceBoundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error instanceof MissingWorkspaceError)
      return <MissingWorkspace workspaceID={this.props.workspaceID} />
    if (error !== null) throw error
    return this.props.children
  }
}
