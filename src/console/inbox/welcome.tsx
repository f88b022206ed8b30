import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link, useParams } from 'react-router'
import { useViewer } from '../session/viewer.ts'

export function useWelcomeDismissed() {
  return useLocalStorage({
    key: 'skein-welcome-dismissed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
}

/** Explains the product until the person dismisses it. After that, says what to do when no thread is open. */
export function Welcome() {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  const [isDismissed, setDismissed] = useWelcomeDismissed()
  if (isDismissed)
    return (
      <Text m="auto" p="md" c="dimmed" visibleFrom="md">
        Select a thread to read it.
      </Text>
    )
  return (
    <Stack p="md" m={{ base: 0, md: 'auto' }} maw="34rem" component="section" aria-label="Welcome">
      <Group justify="space-between">
        <Title order={2}>Welcome to Skein</Title>
        <CloseButton aria-label="Dismiss" onClick={() => setDismissed(true)} />
      </Group>
      <Text>
        Here, people and programs talk to each other in threads. A thread can go to any mix of people and
        groups. Programs send messages through a webhook, or use the API as an app.
      </Text>
      <Group>
        <Button component={Link} to={`/${workspaceID}/new`}>
          Send a message
        </Button>
        {permissions.includes('createWebhooks') && (
          <Button component={Link} to={`/${workspaceID}/settings/webhooks/new`} variant="default">
            Add a webhook
          </Button>
        )}
        {permissions.includes('createApps') && (
          <Button component={Link} to={`/${workspaceID}/settings/apps/new`} variant="default">
            Create an app
          </Button>
        )}
      </Group>
    </Stack>
  )
}
