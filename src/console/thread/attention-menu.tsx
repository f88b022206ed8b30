import { ActionIcon, Menu } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { attentionMenu_thread$key } from '../../generated/console/attentionMenu_thread.graphql.ts'
import { Icon } from '../page/icon.tsx'
import { AttentionItems } from './attention-items.tsx'

/** The button in the header of a thread that mutes and follows it. Its icon shows whether the thread is muted. */
export default function AttentionMenu(props: { thread: attentionMenu_thread$key }) {
  const thread = useFragment(
    graphql`fragment attentionMenu_thread on Thread { isMuted ...attentionItems_thread }`,
    props.thread,
  )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label="Notifications of this thread">
          <Icon name={thread.isMuted ? 'bellOff' : 'bell'} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <AttentionItems thread={thread} />
      </Menu.Dropdown>
    </Menu>
  )
}
