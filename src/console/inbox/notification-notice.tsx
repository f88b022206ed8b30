import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useNotificationSetting } from '../session/use-notification-setting.ts'
import styles from './notice.module.css'

/**
 * Offers notifications until the person answers or dismisses the offer. The browser asks for the permission only after
 * a click on the button.
 */
export function NotificationNotice() {
  const { state, turnOn } = useNotificationSetting()
  const [isDismissed, setDismissed] = useLocalStorage({
    key: 'skein-notice-dismissed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (state !== 'neverAsked' || isDismissed) return null
  return (
    <aside className={styles.notice} aria-label="Notifications">
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <Text size="sm">Do you want a notification when somebody mentions you or sends you a DM?</Text>
        <CloseButton size="sm" aria-label="Dismiss" onClick={() => setDismissed(true)} />
      </Group>
      <Button size="xs" variant="default" mt="xs" onClick={turnOn}>
        Turn on notifications
      </Button>
    </aside>
  )
}
