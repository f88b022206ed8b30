import { Popover } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../page/lazy/lazy-part.tsx'
import { LoadingBoundary } from '../page/loading-boundary.tsx'
import { ProblemBoundary } from '../page/problems/problem-boundary.tsx'

const EmojiPicker = lazyPart(() => import('./emoji-picker.tsx'))

/** Moves the picker over its target if neither side of the target has room for it. */
const inWindow = { shift: { crossAxis: true } }

type Props = {
  isOpen: boolean
  onClose: () => void
  onSelect: (emoji: string) => void
  /** The element next to which the picker is shown. */
  children: ReactNode
}

/** Shows the picker, whose size is fixed, so that it is in its place before it has loaded. */
export function EmojiPopover({ isOpen, onClose, onSelect, children }: Props) {
  // `onSelect` can move the focus. Otherwise, the focus returns to where it was.
  const [returnFocus, setReturnFocus] = useState(true)
  const select = (emoji: string) => {
    setReturnFocus(false)
    onSelect(emoji)
    onClose()
  }
  const dismiss = () => {
    setReturnFocus(true)
    onClose()
  }
  return (
    <Popover
      opened={isOpen}
      onDismiss={dismiss}
      position="top-end"
      width="19rem"
      middlewares={inWindow}
      trapFocus
      returnFocus={returnFocus}
      withinPortal
      withRoles={false}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown p={0} h="20rem" role="dialog" aria-label="Emoji" tabIndex={-1}>
        <ProblemBoundary>
          <LoadingBoundary>
            <EmojiPicker onSelect={select} />
          </LoadingBoundary>
        </ProblemBoundary>
      </Popover.Dropdown>
    </Popover>
  )
}
