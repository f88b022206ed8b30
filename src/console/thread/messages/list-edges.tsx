import { Button, Center, Loader, Text } from '@mantine/core'
import type { PageProblems } from './use-messages.ts'

type Edges = { hasNext: boolean; hasPrevious: boolean; problems: PageProblems; retry: () => void }
type Props = { context: Edges }

/** What the list shows above the first and below the last loaded message. */
export const edgeComponents = { Header, Footer }

function Header({ context }: Props) {
  const { problems, retry } = context
  if (problems.previous !== null) return <Failure problem={problems.previous} retry={retry} />
  return context.hasPrevious ? <More /> : <div style={{ height: 16 }} />
}

function Footer({ context }: Props) {
  if (!context.hasNext) return <div style={{ height: 8 }} />
  const { problems, retry } = context
  return problems.next !== null ? <Failure problem={problems.next} retry={retry} /> : <More />
}

function More() {
  return (
    <Center p="md" role="status" aria-label="Loading more messages">
      <Loader size="sm" />
    </Center>
  )
}

function Failure({ problem, retry }: { problem: string; retry: () => void }) {
  return (
    <Center p="md" role="alert" style={{ gap: 8 }}>
      <Text size="sm">More messages could not be loaded. {problem}</Text>
      <Button size="compact-sm" variant="default" onClick={retry}>
        Try again
      </Button>
    </Center>
  )
}
