import { Menu } from '@mantine/core'
import { type Ref, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageMenu_message$key } from '../../../generated/console/messageMenu_message.graphql.ts'
import { copyText } from '../../text/copy-text.ts'
import { useConversation } from '../conversation.ts'
import styles from './message-actions.module.css'
import type { MessageAction } from './message-actions.tsx'

type Props = {
  message: messageMenu_message$key
  onChoose: (action: MessageAction) => void
  onClose: () => void
}

/** All that a person can do with a message. */
export default function MessageMenu({ onChoose, onClose, ...props }: Props) {
  const { viewerID, edit } = useConversation()
  const { id, url, text, deletedAt, user } = useFragment(
    graphql`fragment messageMenu_message on Message { id url text deletedAt user { id } }`,
    props.message,
  )
  const isOwn = user.id === viewerID
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-end"
      closeOnItemClick={false}
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
      portalProps={{ target: 'main' }}
    >
      <Menu.Target>
        <Anchor />
      </Menu.Target>
      <Menu.Dropdown>
        {!deletedAt && (
          <>
            <Menu.Item onClick={() => onChoose('react')}>Add reaction</Menu.Item>
            <Menu.Item onClick={() => onChoose('reply')}>Reply in a new thread</Menu.Item>
          </>
        )}
        {!deletedAt && isOwn && (
          <Menu.Item
            onClick={() => {
              onClose()
              edit({ id, text })
            }}
          >
            Edit
          </Menu.Item>
        )}
        <CopyItem label="Copy link" text={url} onDone={onClose} />
        <CopyItem label="Copy ID" text={id} onDone={onClose} />
        {!deletedAt && isOwn && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onChoose('delete')}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

function CopyItem({ label, text, onDone }: { label: string; text: string; onDone: () => void }) {
  const [outcome, setOutcome] = useState<string | null>(null)
  const copy = () =>
    copyText(text).then(
      () => {
        setOutcome('Copied')
        setTimeout(onDone, 600)
      },
      () => setOutcome('The browser does not allow it'),
    )
  return (
    <Menu.Item onClick={copy}>
      <span role="status">{outcome ?? label}</span>
    </Menu.Item>
  )
}

/** Where the menu is shown. The button beside it has the state of the menu. */
function Anchor({ ref, id }: { ref?: Ref<HTMLSpanElement>; id?: string }) {
  return (
    <span ref={ref} id={id} className={styles.anchor} aria-hidden>
      Message actions
    </span>
  )
}
