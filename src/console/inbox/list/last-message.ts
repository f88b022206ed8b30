import { useMemo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  lastMessage_thread$data,
  lastMessage_thread$key,
} from '../../../generated/console/lastMessage_thread.graphql.ts'
import { useViewer } from '../../session/viewer.ts'
import { htmlPreview } from '../../text/html-preview.ts'
import { isolated } from '../../text/isolated.ts'
import { threadChange } from '../../thread/message/thread-change.ts'

/** Returns the last message of a thread as one line of text. */
export function useLastMessage(thread: lastMessage_thread$key): string {
  const viewer = useViewer()
  const { lastMessage, kind, startedBy } = useFragment(
    graphql`
      fragment lastMessage_thread on Thread {
        kind
        startedBy { id }
        lastMessage {
          html deletedAt user { id name kind }
          event { type subject recipients(first: 10) { nodes { id name } } }
          attachments(first: 1) { nodes { name } }
        }
      }
    `,
    thread,
  )
  const html = lastMessage?.html ?? ''
  const preview = useMemo(() => htmlPreview(html), [html])
  // The other user of a DM, and a program that writes to its own thread, are shown beside the text.
  const author = lastMessage?.user
  const isShown = kind === 'dm' || (author?.kind !== 'person' && author?.id === startedBy?.id)
  return lastMessage ? textOf(lastMessage, preview, { viewerID: viewer.id, isShown }) : 'No messages yet'
}

type Message = NonNullable<lastMessage_thread$data['lastMessage']>

type Author = { viewerID: string; isShown: boolean }

function textOf(
  { user, event, deletedAt, attachments }: Message,
  preview: string,
  { viewerID, isShown }: Author,
): string {
  const isOwn = user.id === viewerID
  const name = isOwn ? 'You' : isolated(user.name)
  if (event) return `${name} ${threadChange(event, user.id)}`
  const text = deletedAt ? 'Deleted message' : isolated(preview || (attachments.nodes[0]?.name ?? ''))
  return isShown && !isOwn ? text : `${name}: ${text}`
}
