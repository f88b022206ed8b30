import { useRef, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageActions_message$key } from '../../../generated/console/messageActions_message.graphql.ts'
import { EmojiPopover } from '../../emoji/emoji-popover.tsx'
import { Icon } from '../../page/icon.tsx'
import { lazyPart } from '../../page/lazy/lazy-part.tsx'
import { SmallPart } from '../../page/lazy/small-part.tsx'
import { useSide } from '../../page/side-column.ts'
import { timeOfDay } from '../../text/time.ts'
import styles from './message-actions.module.css'
import { useQuickReactions } from './use-quick-reactions.ts'

const MessageMenu = lazyPart(() => import('./message-menu.tsx'))
const DeleteMessage = lazyPart(() => import('./delete-message.tsx'))

type OnEmoji = (emoji: string) => void
type Props = { message: messageActions_message$key; onReact: OnEmoji; onUnreact: OnEmoji }

/** The menu or dialog that is open. Closed menus and dialogs are not rendered, because a list has many messages. */
type MessageAction = 'menu' | 'react' | 'delete' | null

/** Keeps a click from moving the focus. `open` stores where the focus is, so that `close` can return it there. */
const keepFocus = (event: { preventDefault: () => void }) => event.preventDefault()

/** The buttons of a message. Tab stops only at the button of the menu. The menu contains all actions. */
export function MessageActions({ onReact, onUnreact, ...props }: Props) {
  const message = useFragment(
    graphql`
      fragment messageActions_message on Message {
        id createdAt deletedAt
        user { name }
        ...messageMenu_message
        ...useQuickReactions_message
      }
    `,
    props.message,
  )
  const quickReactions = useQuickReactions(message, onReact, onUnreact)
  const [action, setAction] = useState<MessageAction>(null)
  const opener = useRef<Element>(null)
  const side = useSide()
  const open = (next: MessageAction) => {
    opener.current = document.activeElement
    setAction(next)
  }
  const close = () => {
    setAction(null)
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  const reply = () => {
    close()
    side.open({ kind: 'reply', id: message.id })
  }
  const name = `message by ${message.user.name}, ${timeOfDay(message.createdAt)}`
  return (
    <div className={styles.actions} data-open={action !== null || undefined}>
      {!message.deletedAt && (
        <>
          {quickReactions.map(({ emoji, isOwn, toggle }) => (
            <button
              key={emoji}
              type="button"
              tabIndex={-1}
              aria-pressed={isOwn}
              aria-label={`React with ${emoji} to ${name}`}
              title={isOwn ? `Remove ${emoji}` : `React with ${emoji}`}
              onMouseDown={keepFocus}
              onClick={toggle}
            >
              {emoji}
            </button>
          ))}
          <button
            type="button"
            tabIndex={-1}
            aria-label={`React to ${name}`}
            title="React"
            onMouseDown={keepFocus}
            onClick={() => open('react')}
          >
            <Icon name="emoji" />
          </button>
          <button
            type="button"
            tabIndex={-1}
            aria-label={`Reply to ${name} in a new thread`}
            title="Reply in a new thread"
            onMouseDown={keepFocus}
            onClick={reply}
          >
            <Icon name="reply" />
          </button>
        </>
      )}
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={action === 'menu'}
        aria-label={`Actions for ${name}`}
        title="More actions"
        onMouseDown={keepFocus}
        onClick={() => open('menu')}
      >
        <Icon name="more" />
      </button>
      {action === 'react' && (
        <EmojiPopover isOpen onClose={close} onSelect={onReact}>
          <span className={styles.anchor} />
        </EmojiPopover>
      )}
      {action !== null && action !== 'react' && (
        <SmallPart key={action} onClose={close}>
          {action === 'menu' && (
            <MessageMenu
              message={message}
              quickReactions={quickReactions}
              onChoose={(chosen) => (chosen === 'reply' ? reply() : setAction(chosen))}
              onClose={close}
            />
          )}
          {action === 'delete' && <DeleteMessage messageID={message.id} onClose={close} />}
        </SmallPart>
      )}
    </div>
  )
}
