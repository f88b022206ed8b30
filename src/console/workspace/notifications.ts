import { useLocalStorage } from '@mantine/hooks'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { plainPreview } from '../inbox/plain-preview.ts'
import type { InboxThread } from './use-live-inbox.ts'

const isSupported = 'Notification' in globalThis

/** Whether the person has turned notifications on in this browser, and functions that turn them on or off. */
export function useNotificationSetting() {
  const [isWanted, setWanted] = useLocalStorage({ key: 'skein-notifications', defaultValue: false })
  const [permission, setPermission] = useState(isSupported ? Notification.permission : 'denied')
  return {
    isOn: isWanted && permission === 'granted',
    isBlocked: permission === 'denied',
    turnOff: () => setWanted(false),
    turnOn: async () => {
      setPermission(await Notification.requestPermission())
      setWanted(true)
    },
  }
}

/** Returns a function that shows a notification if the last message of a thread is for the person personally. */
export function useNotify(viewerID: string): (thread: InboxThread) => void {
  const { workspaceID } = useParams()
  const { isOn } = useNotificationSetting()
  const navigate = useNavigate()
  const shown = useRef(new Set<string>())
  const latest = useRef({ isOn, navigate })
  useEffect(() => {
    latest.current = { isOn, navigate }
  })
  return useCallback(
    (thread) => {
      const { lastMessage } = thread
      if (!latest.current.isOn || !lastMessage || document.hasFocus()) return
      if (!isPersonal(thread, viewerID) || shown.current.has(lastMessage.id)) return
      shown.current.add(lastMessage.id)
      // Each tab shows the notification. The tag makes them one.
      const notification = new Notification(lastMessage.user.name, {
        body: plainPreview(lastMessage.text),
        tag: lastMessage.id,
      })
      notification.onclick = () => {
        window.focus()
        latest.current.navigate(`/${workspaceID}/threads/${thread.id}/${lastMessage.id}`)
        notification.close()
      }
    },
    [viewerID, workspaceID],
  )
}

/** Returns whether the last message is new, by somebody else, and in a DM or with a mention of the person. */
function isPersonal(
  { unreadCount, isPeristentChat, recipients, lastMessage }: InboxThread,
  viewerID: string,
) {
  if (!lastMessage || lastMessage.event || lastMessage.editedAt || lastMessage.deletedAt) return false
  if (lastMessage.user.id === viewerID || (unreadCount ?? 0) === 0) return false
  const isDM = isPeristentChat && recipients?.nodes[0]?.__typename === 'User'
  return isDM || lastMessage.mentions.nodes.some(({ id }) => id === viewerID)
}
