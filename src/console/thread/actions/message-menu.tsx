import { Menu } from '@mantine/core'
import type { Ref } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageMenu_message$key } from '../../../generated/console/messageMenu_message.graphql.ts'
import { useEditMessage } from '../../composer/edit-composer.tsx'
import { CopyItem } from '../../page/copying.tsx'
import { useViewer } from '../../session/viewer.ts'
import styles from './message-actions.module.css'
import type { QuickReaction } from './use-quick-reactions.ts'

type Props = {
  message: messageMenu_message$key
  quickReactions: readonly QuickReaction[]
  onChoose: (action: 'react' | 'reply' | 'delete') => void
  onClose: () => void
}

/** Everything that a person can do with a message. */
export default function MessageMenu({ quickReactions, onChoose, onClose, ...props }: Props) {
  const viewer = useViewer()
  const edit = useEditMessage()
  const { id, url, text, html, deletedAt, user } = useFragment(
    graphql`fragment messageMenu_message on Message { id url text html deletedAt user { id } }`,
    props.message,
  )
  const isOwn = user.id === viewer.id
  return (
    <Menu opened onClose={onClose} position="bottom-end" closeOnItemClick={false} menuItemTabIndex={0}>
      <Menu.Target>
        <Anchor />
      </Menu.Target>
      <Menu.Dropdown>
        {!deletedAt && (
          <>
            <div className={styles.quick}>
              {quickReactions.map(({ emoji, isOwn, toggle }) => (
                <Menu.Item
                  key={emoji}
                  className={styles.quickItem ?? ''}
                  data-own={isOwn || undefined}
                  aria-label={`${isOwn ? 'Remove' : 'React with'} ${emoji}`}
                  onClick={() => {
                    toggle()
                    onClose()
                  }}
                >
                  {emoji}
                </Menu.Item>
              ))}
            </div>
            <Menu.Item onClick={() => onChoose('react')}>Add reaction</Menu.Item>
            <Menu.Item onClick={() => onChoose('reply')}>Reply in a new thread</Menu.Item>
          </>
        )}
        {!deletedAt && isOwn && (
          <Menu.Item
            onClick={() => {
              onClose()
              edit({ id, text, html })
            }}
          >
            Edit
          </Menu.Item>
        )}
        {!deletedAt && text !== '' && <CopyItem label="Copy text" text={text} />}
        <CopyItem label="Copy link" text={url} />
        <CopyItem label="Copy ID for programs" text={id} />
        {!deletedAt && isOwn && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onChoose('delete')}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Positions the menu. The button next to it tells screen readers whether the menu is open. */
function Anchor({ ref, id }: { ref?: Ref<HTMLSpanElement>; id?: string }) {
  return (
    <span ref={ref} id={id} className={styles.anchor} aria-hidden>
      Message actions
    </span>
  )
}
