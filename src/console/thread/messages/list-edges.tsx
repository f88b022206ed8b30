import { Button, Center, Loader, Text } from '@mantine/core'

type Edges = { hasNext: boolean; hasPrevious: boolean; problem: string | null; retry: () => void }
type Props = { context: Edges }

/** What is before the first and after the last message that is loaded. */
export const edgeComponents = { Header, Footer }

function Header({ context }: Props) {
  if (context.problem) return <Failure {...context} problem={context.problem} />
  return context.hasPrevious ? <More /> : <div style={{ height: 16 }} />
}

function Footer({ context }: Props) {
  if (!context.hasNext) return <div style={{ height: 8 }} />
  return context.problem ? <Failure {...context} problem={context.problem} /> : <More />
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
