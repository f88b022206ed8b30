import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { graphql } from 'react-relay/hooks'
import type { noticeQuery } from '../../generated/console/noticeQuery.graphql.ts'
import { useQuery } from '../relay/use-query.ts'
import { useNotificationSetting } from '../session/use-notification-setting.ts'
import { useViewer } from '../session/viewer.ts'
import { usePasswordPath } from '../settings/profile/use-password-path.ts'
import styles from './notice.module.css'

/** Asks a person without a password to set one, until they dismiss the request. Otherwise, offers notifications. */
export function Notice() {
  const { id } = useViewer()
  const { viewer } = useQuery<noticeQuery>(graphql`query noticeQuery { viewer { hasPassword } }`, {})
  const passwordPath = usePasswordPath()
  const [isDismissed, setDismissed] = useLocalStorage({
    key: `skein-password-notice-dismissed-${id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (viewer?.hasPassword !== false || isDismissed) return <NotificationNotice />
  return (
    <aside className={styles.notice} aria-label="Password">
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <Text size="sm">Set a password, so that you can sign in again after you sign out.</Text>
        <CloseButton size="sm" aria-label="Dismiss" onClick={() => setDismissed(true)} />
      </Group>
      <Button component="a" href={passwordPath} size="xs" variant="default" mt="xs">
        Set a password
      </Button>
    </aside>
  )
}

/**
 * Offers notifications until the person answers or dismisses the offer. The browser asks for the permission only after
 * a click on the button.
 */
function NotificationNotice() {
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
