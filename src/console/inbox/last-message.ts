import { graphql, useFragment } from 'react-relay/hooks'
import type { lastMessage_thread$key } from '../../generated/console/lastMessage_thread.graphql.ts'
import { useViewer } from '../workspace/viewer.ts'
import { plainPreview } from './plain-preview.ts'

const changes: Record<string, string> = {
  subjectChanged: 'changed the subject',
  closed: 'closed the thread',
  reopened: 'reopened the thread',
  recipientsLocked: 'locked the recipients',
  recipientsUnlocked: 'unlocked the recipients',
  repliesTurnedOff: 'turned replies off',
  repliesTurnedOn: 'turned replies on',
  recipientsAdded: 'added recipients',
  recipientsRemoved: 'removed recipients',
}

/** Returns the last message of a thread in one line. */
export function useLastMessageText(thread: lastMessage_thread$key): string {
  const viewer = useViewer()
  const { lastMessage } = useFragment(
    graphql`
      fragment lastMessage_thread on Thread {
        lastMessage { text deletedAt user { id name } event { type } attachments(first: 1) { nodes { name } } }
      }
    `,
    thread,
  )
  if (!lastMessage) return 'No messages yet'
  const { user, event, deletedAt, text, attachments } = lastMessage
  const name = user.id === viewer.id ? 'You' : user.name
  if (event) return `${name} ${changes[event.type] ?? 'changed the thread'}`
  if (deletedAt) return `${name}: Deleted message`
  return `${name}: ${plainPreview(text) || (attachments.nodes[0]?.name ?? '')}`
}
