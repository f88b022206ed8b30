import { type ReactNode, Suspense } from 'react'
import { FailedLine } from '../problems/failed-line.tsx'
import { FailedSilently } from '../problems/failed-silently.tsx'
import { ProblemBoundary } from '../problems/problem-boundary.tsx'

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
