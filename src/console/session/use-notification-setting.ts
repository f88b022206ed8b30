import { useLocalStorage } from '@mantine/hooks'
import { useState } from 'react'

type State = 'on' | 'off' | 'neverAsked' | 'blocked'

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
  const permission = 'Notification' in globalThis ? Notification.permission : 'denied'
  if (permission === 'denied') return 'blocked'
  if (permission === 'default') return 'neverAsked'
  return isWanted ? 'on' : 'off'
}
