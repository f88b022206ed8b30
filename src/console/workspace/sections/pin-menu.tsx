import { Menu } from '@mantine/core'
import { useState } from 'react'
import { MoreButton } from '../../page/show-more.tsx'
import { PinItem } from '../../thread/pin-item.tsx'
import type { Moves } from './pin-moves.ts'

type Props = { id: string; label: string; moves: Moves }

/** Moves a pin, and unpins it. */
export default function PinMenu({ id, label, moves: { up, down } }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>
        <MoreButton size={24} aria-label={`Actions for the pin ${label}`} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={!up} onClick={up}>
          Move up
        </Menu.Item>
        <Menu.Item disabled={!down} onClick={down}>
          Move down
        </Menu.Item>
        <PinItem id={id} isPinned onDone={() => setOpen(false)} />
      </Menu.Dropdown>
    </Menu>
  )
}
