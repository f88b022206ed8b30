import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'

type State = 'on' | 'off' | 'neverAsked' | 'blocked' | 'unsupported'

export function useNotificationSetting() {
  const [isWanted, setWanted] = useLocalStorage({ key: 'skein-notifications', defaultValue: false })
  const [, setAnswer] = useState<NotificationPermission | null>(null)
  return {
    state: stateOf(isWanted),
    turnOff: () => setWanted(false),
    turnOn: async () => {
      setAnswer(await Notification.requestPermission())
      setWanted(true)
    },
  }
}

/** The permission can change without an event. Therefore, each render reads it. */
function stateOf(isWanted: boolean): State {
  // Without https, some browsers have no notifications, and others block them.
  if (!('Notification' in globalThis)) return isSecureContext ? 'unsupported' : 'blocked'
  const { permission } = Notification
  if (permission === 'denied') return 'blocked'
  if (permission === 'default') return 'neverAsked'
  return isWanted ? 'on' : 'off'
}
