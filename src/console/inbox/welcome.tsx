import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { Link, useParams } from 'react-router'

/** Explains the product on a first visit. Later, it says what to do when no thread is open. */
export function Welcome() {
  const { workspaceID } = useParams()
  const [isDismissed, setDismissed] = useLocalStorage({
    key: 'skein-welcome-dismissed',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (isDismissed)
    return (
      <Text m="auto" p="md" c="dimmed" visibleFrom="md">
        Choose a thread to read it.
      </Text>
    )
  return (
    <Stack p="md" m={{ base: 0, md: 'auto' }} maw="34rem" component="section" aria-label="Welcome">
      <Group justify="space-between">
        <Title order={2}>Welcome to Skein</Title>
        <CloseButton aria-label="Close the welcome" onClick={() => setDismissed(true)} />
      </Group>
      <Text>
        People and programs talk to each other here in threads. A thread goes to any mix of people and groups.
        Programs send messages to a webhook, or use the API as an app.
      </Text>
      <Group>
        <Button component={Link} to={`/${workspaceID}/new`}>
          Send a message
        </Button>
        <Button component={Link} to={`/${workspaceID}/settings/webhooks/new`} variant="default">
          Add a webhook
        </Button>
        <Button component={Link} to={`/${workspaceID}/settings/apps/new`} variant="default">
          Make an app
        </Button>
      </Group>
    </Stack>
  )
}
