import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoadingBoundary } from '../loading-boundary.tsx'
import { ProblemBoundary } from '../problems/problem-boundary.tsx'
import { useFocusReturn } from './use-focus-return.ts'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** A panel on the right, over the page. It is open while it is rendered. */
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
        <LoadingBoundary>{children}</LoadingBoundary>
      </ProblemBoundary>
    </Drawer>
  )
}
