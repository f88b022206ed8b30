import { Button, Center, Text } from '@mantine/core'
import { Bone } from '../../page/bones.tsx'
import { Problem } from '../../page/problems/problem.tsx'
import { dayOf, isSameDay } from '../../text/time.ts'
import { useToday } from '../../text/use-today.ts'
import styles from './message-list.module.css'
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
      <Bone width={20} />
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

/** Replaces the list if the message of the URL is not in the thread. */
export function MissingMessage({ onGoToEnd }: { onGoToEnd: () => void }) {
  return (
    <div className={styles.missing}>
      <Problem title="Message not found" text="It does not exist, or you cannot see it." />
      <Button onClick={onGoToEnd}>Show the latest messages</Button>
    </div>
  )
}

type Timed = { createdAt: string }
type SeparatorsProps = {
  message: Timed
  previous: Timed | undefined
  isFirstUnread: boolean
  isStrand: boolean
}

/** The lines above the first message of a day and above the first unread message. */
export function Separators({ message, previous, isFirstUnread, isStrand }: SeparatorsProps) {
  const isNewDay = !previous || !isSameDay(message.createdAt, previous.createdAt)
  const strand = previous && isStrand ? { 'data-strand': true } : {}
  return (
    <>
      {isNewDay && (
        <h2 className={styles.day} {...strand}>
          <Day time={message.createdAt} />
        </h2>
      )}
      {isFirstUnread && (
        <h2 className={styles.unread} {...strand}>
          <span>New</span>
        </h2>
      )}
    </>
  )
}

function Day({ time }: { time: string }) {
  return <time dateTime={time}>{dayOf(time, useToday())}</time>
}
