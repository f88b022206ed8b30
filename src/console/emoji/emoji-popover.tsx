import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'

const EmojiPicker = lazyPart(() => import('./emoji-picker.tsx'))

type Props = {
  isOpen: boolean
  onClose: () => void
  onSelect: (emoji: string) => void
  /** The element next to which the picker is shown. */
  children: ReactNode
}

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
          <LoadingBoundary>
            <EmojiPicker onSelect={select} />
          </LoadingBoundary>
        </ProblemBoundary>
      </Popover.Dropdown>
    </Popover>
  )
}
