import { Button, CloseButton, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { readStored, writeStored } from '../session/browser-storage.ts'
import { useViewer } from '../session/viewer.ts'

const storedAs = 'skein-welcome-shown'

/** The welcome is shown at the first visit, until the person dismisses it or opens another page. */
export function useWelcome(): { isShown: boolean; dismiss: () => void } {
  const { pathname } = useLocation()
  const { threadID } = useParams()
  const [isShown, setShown] = useState(() => readStored(storedAs) === null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: The welcome ends when the person opens another page.
  useEffect(() => {
    if (threadID !== undefined) return
    writeStored(storedAs, 'true')
    return () => setShown(false)
  }, [pathname, threadID])
  return { isShown, dismiss: () => setShown(false) }
}

/** Explains the product at the first visit. After that, says what to do when no thread is open. */
export function Welcome({ isShown, dismiss }: ReturnType<typeof useWelcome>) {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  if (!isShown)
    return (
      <Text m="auto" p="md" c="dimmed" visibleFrom="md">
        Select a thread to read it.
      </Text>
    )
  return (
    <Stack p="md" m={{ base: 0, md: 'auto' }} maw="34rem" component="section" aria-label="Welcome">
      <Group justify="space-between">
        <Title order={2}>Welcome to Skein</Title>
        <CloseButton aria-label="Dismiss" onClick={dismiss} />
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
