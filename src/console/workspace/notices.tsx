import { Anchor, Button, CloseButton } from '@mantine/core'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { Icon } from '../page/icon.tsx'
import { useHasOldData } from '../relay/reloads.ts'
import { retryNow } from '../relay/retry.ts'
import { useIsConnected } from '../session/connection.ts'
import { isolated } from '../text/isolated.ts'
import { retractAddition, useAdditions } from './live/additions.ts'
import styles from './notices.module.css'

const texts = new Map([
  ['skein-notice=password-saved', 'Your password was saved.'],
  ['skein-notice=password-saved-sessions-ended', 'Your password was saved. Your other sessions were ended.'],
])

/** Says that the password was saved. The account page sets a cookie for this when it returns to the web app. */
export function PasswordNotice() {
  const [text, setText] = useState(takeNotice)
  if (text === undefined) return null
  return (
    <div role="status" className={styles.notice}>
      {text}
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => setText(undefined)} />
    </div>
  )
}

function takeNotice(): string | undefined {
  const notice = document.cookie.split('; ').find((cookie) => texts.has(cookie))
  if (notice === undefined) return undefined
  // biome-ignore lint/suspicious/noDocumentCookie: Some of the supported browsers have no Cookie Store API.
  document.cookie = `${notice}; path=/; max-age=0`
  return texts.get(notice)
}

/** Says who has added the person to a group. */
export function AdditionNotices() {
  const { workspaceID } = useParams()
  const additions = useAdditions()
  return (
    <div role="status">
      {additions.map(({ groupID, groupName, adderName }) => {
        const dismiss = () => retractAddition(groupID)
        return (
          <div key={groupID} className={styles.notice}>
            <span>
              {adderName === null ? 'You were added to ' : `${isolated(adderName)} added you to `}
              <Anchor component={Link} to={`/${workspaceID}/groups/${groupID}`} onClick={dismiss}>
                {groupName}
              </Anchor>
              .
            </span>
            <CloseButton size="sm" aria-label={`Dismiss: ${groupName}`} onClick={dismiss} />
          </div>
        )
      })}
    </div>
  )
}

/** Says that the page may show old data. */
export function OfflineNotice() {
  const isConnected = useIsConnected()
  const isOld = useHasOldData()
  const lateText = isOld ? 'The service does not answer. Trying again…' : null
  const text = isConnected
    ? lateText
    : 'No connection. What you write is kept, and sent when the connection is back.'
  return (
    <div className={text === null ? undefined : styles.offline}>
      {text && <Icon name="cloudOff" size={16} />}
      <div role="status">{text}</div>
      {text && (
        <Button ref={giveFocusToPage} size="xs" variant="default" onClick={retryNow}>
          Try now
        </Button>
      )}
    </div>
  )
}

/** When the button with the focus disappears, the page gets the focus. */
function giveFocusToPage(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) document.querySelector('main')?.focus({ preventScroll: true })
  }
}
