import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { useIsConnected } from '../session/connection.ts'
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

export function OfflineNotice() {
  const isConnected = useIsConnected()
  return (
    <div role="status">
      {!isConnected && <div className={styles.offline}>Connection lost. Reconnecting…</div>}
    </div>
  )
}
