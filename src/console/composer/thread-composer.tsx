import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadComposer_thread$key } from '../../generated/console/threadComposer_thread.graphql.ts'
import { useViewer } from '../session/viewer.ts'
import styles from './composer.module.css'
import { Composer } from './composer.tsx'

type Props = {
  thread: threadComposer_thread$key
  /** The subject of the thread, or the names of its other recipients. */
  title: string
  onSent: () => void
  onEditLast: () => void
  autoFocus: boolean
}

/** The composer of a thread. Explains how the state of the thread affects the person who writes. */
export function ThreadComposer({ title, onSent, onEditLast, autoFocus, ...props }: Props) {
  const viewer = useViewer()
  const { id, repliesOff, recipientsLocked, closedAt, startedBy, ...thread } = useFragment(
    graphql`
      fragment threadComposer_thread on Thread {
        id repliesOff recipientsLocked closedAt isPeristentChat
        startedBy { id name }
        recipients(first: 5) { nodes { id name ... on User { deletedAt } } }
      }
    `,
    props.thread,
  )
  const isStarter = startedBy?.id === viewer.id
  const isReadOnly = repliesOff && !isStarter
  const writer = isStarter ? 'you' : (startedBy?.name ?? 'the person who started the thread')
  const deactivated = thread.isPeristentChat && thread.recipients?.nodes.find(({ deletedAt }) => deletedAt)
  const replies = repliesOff && `Replies are turned off. Only ${writer} can write here.`
  const notes = [
    deactivated && `${deactivated.name} was deactivated and cannot read new messages.`,
    closedAt &&
      'This thread is closed: the work on it is finished. You can still write, and the thread stays closed.',
    replies,
    recipientsLocked && 'The recipients are locked. Only people who can change the thread can add people.',
  ]
  return (
    <>
      <Note text={(isReadOnly ? [replies] : notes).filter(Boolean).join(' ')} />
      <Composer
        key={id}
        target={{ threadID: id }}
        placeholder={`Message ${title}`}
        onSent={onSent}
        onEditLast={onEditLast}
        isReadOnly={isReadOnly}
        autoFocus={autoFocus}
      />
    </>
  )
}

function Note({ text }: { text: string }) {
  if (text === '') return null
  return (
    <Text className={styles.note ?? ''} size="sm" c="dimmed" ta="center" px="md" py="xs">
      {text}
    </Text>
  )
}
