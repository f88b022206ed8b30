import { Button, Text } from '@mantine/core'
import { useNotificationSetting } from '../../session/use-notification-setting.ts'
import { Section } from '../layout/section.tsx'

const obstacles: Record<string, string> = {
  blocked: isSecureContext
    ? 'This browser blocks them. To allow them, select the icon beside the address of this page, allow notifications there, and reload the page.'
    : 'This browser blocks them, because the address of this page does not begin with https://. Ask the operator of the service.',
  unsupported: 'This browser does not support them.',
}

/** Says whether this browser shows notifications, and how to change that. */
export function NotificationSection() {
  const { state, turnOn, turnOff } = useNotificationSetting()
  const isOn = state === 'on'
  return (
    <Section
      title="Notifications"
      text="While the web app is open in this browser, you hear of each new message in a DM, and of each mention of you or of one of your groups."
    >
      <Text role="status">{obstacles[state] ?? `They are ${isOn ? 'on' : 'off'} in this browser.`}</Text>
      {!(state in obstacles) && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={isOn ? turnOff : turnOn}>
          Turn {isOn ? 'off' : 'on'} notifications
        </Button>
      )}
    </Section>
  )
}
