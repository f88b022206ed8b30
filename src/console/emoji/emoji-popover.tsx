import { Popover } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { Loading } from '../page/loading.tsx'
import { ProblemBoundary } from '../page/problem-boundary.tsx'

const EmojiPicker = lazy(() => import('./emoji-picker.tsx'))

type Props = {
  isOpen: boolean
  onClose: () => void
  onSelect: (emoji: string) => void
  /** What the picker is shown next to. It must be an element. */
  children: ReactNode
}

/** Shows the emoji picker next to its child while `isOpen` is true. */
export function EmojiPopover({ isOpen, onClose, onSelect, children }: Props) {
  const select = (emoji: string) => {
    onSelect(emoji)
    onClose()
  }
  return (
    <Popover
      opened={isOpen}
      onDismiss={onClose}
      onClose={onClose}
      position="top-end"
      trapFocus
      returnFocus
      withinPortal
      withRoles={false}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown p={0} role="dialog" aria-label="Emoji" tabIndex={-1}>
        <ProblemBoundary>
          <Suspense fallback={<Loading />}>
            <EmojiPicker onSelect={select} />
          </Suspense>
        </ProblemBoundary>
      </Popover.Dropdown>
    </Popover>
  )
}
