import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { attentionMenu_thread$key } from '../../generated/console/attentionMenu_thread.graphql.ts'
import { Icon } from '../page/icon.tsx'
import { AttentionItems } from './attention-items.tsx'
import { PinItem } from './pin-item.tsx'

/** The button in the header of a thread that mutes, follows and pins it. Its icon shows whether the thread is muted. */
export default function AttentionMenu(props: { thread: attentionMenu_thread$key }) {
  const thread = useFragment(
    graphql`fragment attentionMenu_thread on Thread { id isMuted isPinned ...attentionItems_thread }`,
    props.thread,
  )
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Notifications of this thread">
          <Icon name={thread.isMuted ? 'bellOff' : 'bell'} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <AttentionItems thread={thread} />
        <PinItem id={thread.id} isPinned={thread.isPinned} onDone={() => setOpen(false)} />
      </Menu.Dropdown>
    </Menu>
  )
}
