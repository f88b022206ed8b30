import { Menu } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadMenu_thread$key } from '../../generated/console/threadMenu_thread.graphql.ts'
import { CopyItem } from '../page/copying.tsx'
import { MoreButton } from '../page/show-more.tsx'
import { PinItem } from './pin-item.tsx'

/** The button with three dots in the header of a thread. */
export default function ThreadMenu(props: { thread: threadMenu_thread$key }) {
  const { id, url, isPinned } = useFragment(
    graphql`fragment threadMenu_thread on Thread { id url isPinned }`,
    props.thread,
  )
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label="Actions for this thread" />
      </Menu.Target>
      <Menu.Dropdown>
        <PinItem id={id} isPinned={isPinned} onDone={() => setOpen(false)} />
        <CopyItem label="Copy link" text={url} />
        <CopyItem label="Copy ID for programs" text={id} />
      </Menu.Dropdown>
    </Menu>
  )
}
