import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFocusReturn } from './use-focus-return.ts'

type Props = { title: string; onClose: () => void; children: ReactNode }

/** A dialog over the page. It is open while it is rendered. */
export function Dialog({ title, onClose, children }: Props) {
  useFocusReturn()
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      {children}
    </Modal>
  )
}
