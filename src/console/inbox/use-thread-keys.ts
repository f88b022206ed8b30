import { useEffect, useEffectEvent } from 'react'
import { graphql, useMutation, useRelayEnvironment } from 'react-relay/hooks'
import type { useThreadKeysMuteMutation } from '../../generated/console/useThreadKeysMuteMutation.graphql.ts'
import type { useThreadKeysReadMutation } from '../../generated/console/useThreadKeysReadMutation.graphql.ts'
import type { useThreadKeysUnmuteMutation } from '../../generated/console/useThreadKeysUnmuteMutation.graphql.ts'
import { isBusy } from '../keyboard/shortcuts.tsx'

/** Handles the keys for the row that has the focus, or else for the open thread. */
export function useThreadKeys(openID: string | undefined, markAllRead: () => void): void {
  const environment = useRelayEnvironment()
  // A failure needs no message, because the row does not change.
  const [markRead] = useMutation<useThreadKeysReadMutation>(graphql`
    mutation useThreadKeysReadMutation($input: MarkReadInput!) {
      markRead(input: $input) { thread { unreadCount unreadMentionCount } }
    }
  `)
  const [mute] = useMutation<useThreadKeysMuteMutation>(graphql`
    mutation useThreadKeysMuteMutation($input: MuteThreadInput!) { muteThread(input: $input) { thread { isMuted } } }
  `)
  const [unmute] = useMutation<useThreadKeysUnmuteMutation>(graphql`
    mutation useThreadKeysUnmuteMutation($input: UnmuteThreadInput!) {
      unmuteThread(input: $input) { thread { isMuted } }
    }
  `)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { key, shiftKey } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (isBusy(event)) return
    const threadID = focusedID() ?? openID
    const input = { threadID: threadID ?? '' }
    if (key === 'Escape' && shiftKey) markAllRead()
    else if (key === 'n' || (key === 'J' && shiftKey)) openNextUnread(threadID)
    else if (key === 'm' && threadID) {
      const isMuted = environment.getStore().getSource().get(threadID)?.isMuted === true
      if (isMuted) unmute({ variables: { input } })
      else mute({ variables: { input } })
    } else if (key === 'e' && threadID) {
      markRead({ variables: { input } })
      openNextUnread(threadID)
    } else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event)
    // The window hears of a key after the document, whose shortcuts come first: `g m` is one of them.
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('a[data-thread-row]')]

function focusedID(): string | undefined {
  return rows().find((row) => row === document.activeElement)?.dataset.threadRow
}

/** Opens the first unread row after a thread, or else the first one of the list. The next key is for that row. */
function openNextUnread(threadID: string | undefined): void {
  const all = rows()
  const current = all.findIndex((row) => row.dataset.threadRow === threadID)
  const next = [...all.slice(current + 1), ...all.slice(0, Math.max(current, 0))]
  const unread = next.find((row) => row.dataset.unread !== undefined)
  unread?.focus()
  unread?.click()
}
