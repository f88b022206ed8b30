import { Drawer } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { Loading } from './loading.tsx'
import { ProblemBoundary } from './problem-boundary.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** A panel at the right, over the page. It is open while it is rendered. */
export function SidePanel({ title, onClose, children }: Props) {
  useFocusReturn()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ProblemBoundary>
        <Suspense fallback={<Loading />}>{children}</Suspense>
      </ProblemBoundary>
    </Drawer>
  )
}
