import { Button, CloseButton, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Empty } from '../page/empty.tsx'
import type { Count } from '../page/filter-tabs.tsx'
import { readStored, writeStored } from '../session/browser-storage.ts'
import { useViewer } from '../session/viewer.ts'
import styles from './notice.module.css'

const storedAs = 'skein-welcome-shown'

/**
 * The welcome is shown in the first week, until the person dismisses it, or opens a thread from the inbox. A link to a
 * thread does not end it.
 */
export function useWelcome(): { isShown: boolean; dismiss: () => void } {
  const { threadID } = useParams()
  const { isNew } = useViewer()
  const [isShown, setShown] = useState(() => isNew && readStored(storedAs) === null)
  const dismiss = () => {
    writeStored(storedAs, 'true')
    setShown(false)
  }
  const shownID = useRef(threadID)
  const endAtThread = useEffectEvent(() => {
    if (shownID.current === undefined && threadID !== undefined && isShown) dismiss()
    shownID.current = threadID
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: The welcome ends when a thread opens.
  useEffect(() => endAtThread(), [threadID])
  return { isShown, dismiss }
}

/** Explains the product. After the person has dismissed that or opened a thread, says what to do when no thread is open. */
export function Welcome({ isShown, dismiss, ...others }: ReturnType<typeof useWelcome> & NothingOpenProps) {
  const { text, steps } = useExplanation()
  if (!isShown) return <NothingOpen {...others} />
  return (
    <Empty
      label="Welcome"
      title="Welcome to Skein"
      text={text}
      actions={
        <>
          {steps.map(({ to, label, variant }) => (
            <Button key={to} component={Link} to={to} variant={variant}>
              {label}
            </Button>
          ))}
          <Button variant="subtle" color="gray" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      }
    />
  )
}

/** The welcome of a narrow window, which shows only the list. It is below the list. */
export function SmallWelcome({ dismiss }: { dismiss: () => void }) {
  const { text, steps } = useExplanation()
  return (
    <section className={styles.notice} aria-label="Welcome">
      <Group justify="space-between" wrap="nowrap" align="start" gap="xs">
        <Text size="sm">
          <b>Welcome to Skein.</b> {text}
        </Text>
        <CloseButton size="sm" aria-label="Dismiss" onClick={dismiss} />
      </Group>
      <Group gap="xs" mt="xs">
        {steps.map(({ to, label, variant }) => (
          <Button key={to} component={Link} to={to} variant={variant} size="xs">
            {label}
          </Button>
        ))}
      </Group>
    </section>
  )
}

type Step = { to: string; label: string; variant: 'filled' | 'default' }

/** What the product is for, and what the person can do first. */
function useExplanation(): { text: string; steps: Step[] } {
  const { workspaceID } = useParams()
  const { permissions } = useViewer()
  const createsPrograms = ['createWebhooks', 'createApps'].some((name) => permissions.includes(name))
  const steps: Step[] = [
    { to: `/${workspaceID}/new`, label: 'Send a message', variant: 'filled' },
    { to: `/${workspaceID}/groups`, label: 'Find groups', variant: 'default' },
  ]
  if (permissions.includes('createWebhooks'))
    steps.push({ to: `/${workspaceID}/settings/webhooks/new`, label: 'Add a webhook', variant: 'default' })
  const text = `Here, people and programs talk to each other in threads. A thread can go to any mix of people and groups. ${
    createsPrograms
      ? 'Programs send messages through a webhook, or use the API as an app.'
      : 'Your inbox shows what concerns you: your direct messages, the threads of your groups, and threads in which somebody mentions you.'
  }`
  return { text, steps }
}

type NothingOpenProps = { failed: Count; onShowFailed: () => void }

function NothingOpen({ failed: { value, isMore }, onShowFailed }: NothingOpenProps) {
  const { unreadCount } = useViewer()
  const isCaughtUp = unreadCount === 0
  const failed =
    value === 1 && !isMore ? '1 thread has failed' : `${value}${isMore ? '+' : ''} threads have failed`
  return (
    <Empty
      title={isCaughtUp ? 'All caught up' : 'No thread is open'}
      text={[
        isCaughtUp && 'No direct message and no mention waits for you.',
        value > 0 ? `${failed}.` : 'Select a thread to read it.',
      ]
        .filter(Boolean)
        .join(' ')}
      actions={
        value > 0 && (
          <Button variant="default" onClick={onShowFailed}>
            Show failed threads
          </Button>
        )
      }
    />
  )
}
