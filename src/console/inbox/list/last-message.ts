import { useMemo } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type {
  lastMessage_thread$data,
  lastMessage_thread$key,
} from '../../../generated/console/lastMessage_thread.graphql.ts'
import { useViewer } from '../../session/viewer.ts'
import { htmlPreview } from '../../text/html-preview.ts'
import { isolated } from '../../text/isolated.ts'
import { mentions } from '../../thread/message/own-mentions.ts'
import { threadChange } from '../../thread/message/thread-change.ts'

type LastMessage = { text: string; mentionsViewer: boolean }

/** Returns the last message of a thread as one line of text, and whether it mentions the person. */
export function useLastMessage(thread: lastMessage_thread$key): LastMessage {
  const viewer = useViewer()
  const { lastMessage } = useFragment(
    graphql`
      fragment lastMessage_thread on Thread {
        lastMessage {
          html deletedAt user { id name }
          event { type subject recipients(first: 10) { nodes { id name } } }
          attachments(first: 1) { nodes { name } }
        }
      }
    `,
    thread,
  )
  const html = lastMessage?.html ?? ''
  const preview = useMemo(() => htmlPreview(html), [html])
  const text = lastMessage ? textOf(lastMessage, preview, viewer.id) : 'No messages yet'
  return { text, mentionsViewer: mentions(html, viewer.id) }
}

type Message = NonNullable<lastMessage_thread$data['lastMessage']>

function textOf({ user, event, deletedAt, attachments }: Message, preview: string, viewerID: string): string {
  const name = user.id === viewerID ? 'You' : isolated(user.name)
  if (event) return `${name} ${threadChange(event, user.id)}`
  if (deletedAt) return `${name}: Deleted message`
  return `${name}: ${isolated(preview || (attachments.nodes[0]?.name ?? ''))}`
}
