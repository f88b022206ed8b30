import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { threadComposer_thread$key } from '../../generated/console/threadComposer_thread.graphql.ts'
import { useConversation } from '../thread/conversation.ts'
import { Composer } from './composer.tsx'

type Props = { thread: threadComposer_thread$key; onSent: () => void; onEditLast: () => void }

/** The composer of a thread. Explains what the state of the thread means for who writes. */
export function ThreadComposer({ onSent, onEditLast, ...props }: Props) {
  const { viewerID } = useConversation()
  const { id, repliesOff, recipientsLocked, closedAt, startedBy } = useFragment(
    graphql`
      fragment threadComposer_thread on Thread {
        id repliesOff recipientsLocked closedAt
        startedBy { id name }
      }
    `,
    props.thread,
  )
  const isStarter = startedBy?.id === viewerID
  if (repliesOff && !isStarter)
    return (
      <Note
        text={`Replies are turned off. Only ${startedBy?.name ?? 'who started the thread'} can write here.`}
      />
    )
  const notes = [
    closedAt && 'This thread is closed. You can still write.',
    repliesOff && 'Replies are turned off. Only you can write here.',
    recipientsLocked && 'The recipients are locked. Only those who can change the thread can add people.',
  ]
  return (
    <>
      <Note text={notes.filter(Boolean).join(' ')} />
      <Composer key={id} target={{ threadID: id }} onSent={onSent} onEditLast={onEditLast} />
    </>
  )
}

function Note({ text }: { text: string }) {
  if (text === '') return null
  return (
    <Text size="sm" c="dimmed" ta="center" px="md" py="xs">
      {text}
    </Text>
  )
}
