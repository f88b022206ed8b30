import { Text } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageActions_message$key } from '../../../generated/console/messageActions_message.graphql.ts'
import { EmojiPopover } from '../../emoji/emoji-popover.tsx'
import { Icon } from '../../page/icon.tsx'
import { timeOfDay } from '../../text/time.ts'
import { useReact } from '../message/reactions/use-react.ts'
import styles from './message-actions.module.css'

const MessageMenu = lazy(() => import('./message-menu.tsx'))
const StartThread = lazy(() => import('./start-thread.tsx'))
const DeleteMessage = lazy(() => import('./delete-message.tsx'))

/** What is open for a message. What is closed is not in the page, because a list has many messages. */
export type MessageAction = 'menu' | 'react' | 'reply' | 'delete' | null

/** The buttons of a message. With the keyboard, the menu is one stop and has all actions. */
export function MessageActions(props: { message: messageActions_message$key }) {
  const message = useFragment(
    graphql`
      fragment messageActions_message on Message {
        id createdAt deletedAt
        user { name }
        ...messageMenu_message
      }
    `,
    props.message,
  )
  const [action, setAction] = useState<MessageAction>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const react = useReact(message.id)
  const close = () => {
    setAction(null)
    menuButton.current?.focus()
  }
  const name = `message by ${message.user.name}, ${timeOfDay(message.createdAt)}`
  const isWhole = !message.deletedAt
  return (
    <>
      <div className={styles.actions} data-open={action !== null || undefined}>
        {isWhole && (
          <>
            <button
              type="button"
              tabIndex={-1}
              aria-label={`React to ${name}`}
              title="React"
              onClick={() => setAction('react')}
            >
              <Icon name="emoji" />
            </button>
            <button
              type="button"
              tabIndex={-1}
              aria-label={`Reply to ${name} in a new thread`}
              title="Reply in a new thread"
              onClick={() => setAction('reply')}
            >
              <Icon name="reply" />
            </button>
          </>
        )}
        <button
          ref={menuButton}
          type="button"
          aria-haspopup="menu"
          aria-expanded={action === 'menu'}
          aria-label={`Actions for ${name}`}
          title="More actions"
          onClick={() => setAction('menu')}
        >
          <Icon name="more" />
        </button>
        {action === 'react' && (
          <EmojiPopover
            isOpen
            onClose={close}
            onSelect={async (emoji) => setProblem(await react(emoji, true))}
          >
            <span className={styles.anchor} />
          </EmojiPopover>
        )}
        <Suspense>
          {action === 'menu' && <MessageMenu message={message} onChoose={setAction} onClose={close} />}
          {action === 'reply' && <StartThread messageID={message.id} onClose={close} />}
          {action === 'delete' && <DeleteMessage messageID={message.id} onClose={close} />}
        </Suspense>
      </div>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </>
  )
}
