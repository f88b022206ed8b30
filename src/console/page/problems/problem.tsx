import { Anchor, Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { usePageTitle } from '../use-page-title.ts'

type Props = { title: string; text: string; onRetry?: () => void; children?: ReactNode }

/** Says what is wrong and what to do, in place of the content. */
export function Problem({ title, text, onRetry, children }: Props) {
  return (
    <Stack align="center" justify="center" p="xl" role="alert">
      <Title order={1} size="h2" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center">
        {text}
      </Text>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {children}
    </Stack>
  )
}

/** Shows why an action failed, beside its button. */
export function ProblemText({ problem }: { problem: string | null }) {
  if (problem === null) return null
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" style={{ whiteSpace: 'pre-line' }}>
      {problem}
    </Text>
  )
}

type NotFoundProps = { what: 'App' | 'Endpoint' | 'Group' | 'Page' | 'Thread' | 'Webhook' | 'Workspace' }

/** Shows the same text for an object that does not exist and for an object that the person cannot see. */
export function NotFound({ what }: NotFoundProps) {
  usePageTitle(`${what} not found`)
  const { workspaceID } = useParams()
  return (
    <Problem title={`${what} not found`} text="It does not exist, or you cannot see it.">
      {what !== 'Workspace' && (
        <Anchor component={Link} to={`/${workspaceID}/inbox`}>
          Go to the inbox
        </Anchor>
      )}
    </Problem>
  )
}
