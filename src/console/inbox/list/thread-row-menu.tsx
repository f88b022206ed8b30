import { Menu } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadRowMenu_thread$key } from '../../../generated/console/threadRowMenu_thread.graphql.ts'
import type { threadRowMenuReadMutation } from '../../../generated/console/threadRowMenuReadMutation.graphql.ts'
import type { threadRowMenuUnreadMutation } from '../../../generated/console/threadRowMenuUnreadMutation.graphql.ts'
import { CopyItem } from '../../page/copying.tsx'
import { ProblemText } from '../../page/problems/problem.tsx'
import { MoreButton } from '../../page/show-more.tsx'
import { useAction } from '../../relay/use-action.ts'
import { useViewer } from '../../session/viewer.ts'
import { AttentionItems } from '../../thread/attention-items.tsx'
import { PinItem } from '../../thread/pin-item.tsx'
import { placeThread } from './place-thread.ts'
import { unreadOf } from './thread-row-parts.tsx'

type Props = { thread: threadRowMenu_thread$key; title: string }

export default function ThreadRowMenu({ title, ...props }: Props) {
  const viewer = useViewer()
  const thread = useFragment(
    graphql`
      fragment threadRowMenu_thread on Thread {
        id url unreadCount unreadMentionCount isPinned lastMessage { id user { id } } ...attentionItems_thread
      }
    `,
    props.thread,
  )
  const { id, url, isPinned, lastMessage } = thread
  const read = useAction<threadRowMenuReadMutation>(graphql`
    mutation threadRowMenuReadMutation($threadID: ID!) {
      markRead(input: { threadID: $threadID }) { thread { ...threadRow_thread } }
    }
  `)
  const unread = useAction<threadRowMenuUnreadMutation>(graphql`
    mutation threadRowMenuUnreadMutation($threadID: ID!, $messageID: ID!) {
      markUnread(input: { threadID: $threadID, fromMessageID: $messageID }) { thread { ...threadRow_thread } }
    }
  `)
  const markUnread = (messageID: string) =>
    unread.run({ threadID: id, messageID }, undefined, (store) =>
      placeThread(store, store.getRootField('markUnread')?.getLinkedRecord('thread')),
    )
  // A person's own messages are never unread.
  const canBeUnread = lastMessage && lastMessage.user.id !== viewer.id
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end">
      <Menu.Target>
        <MoreButton aria-label={`Actions for ${title}`} />
      </Menu.Target>
      <Menu.Dropdown>
        {unreadOf(thread).unreadCount > 0 ? (
          <Menu.Item onClick={() => read.run({ threadID: id })}>Mark as read</Menu.Item>
        ) : (
          <Menu.Item disabled={!canBeUnread} onClick={() => lastMessage && markUnread(lastMessage.id)}>
            Mark as unread
          </Menu.Item>
        )}
        <AttentionItems thread={thread} />
        <PinItem id={id} isPinned={isPinned} onDone={() => setOpen(false)} />
        <CopyItem label="Copy link" text={url} />
        <CopyItem label="Copy ID for programs" text={id} />
        <ProblemText problem={read.problem ?? unread.problem} />
      </Menu.Dropdown>
    </Menu>
  )
}
