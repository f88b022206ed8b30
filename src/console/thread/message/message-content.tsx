import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageContent_message$key } from '../../../generated/console/messageContent_message.graphql.ts'
import { RenderedText } from '../../page/rendered-text.tsx'
import { useViewer } from '../../session/viewer.ts'
import { Attachments } from './attachments/attachments.tsx'
import { markMentions } from './own-mentions.ts'

/** The text of a message and its files, or a note that it was deleted. */
export function MessageContent(props: { message: messageContent_message$key }) {
  const viewer = useViewer()
  const message = useFragment(
    graphql`
      fragment messageContent_message on Message { html editedAt deletedAt ...attachments_message }
    `,
    props.message,
  )
  if (message.deletedAt)
    return (
      <Text c="dimmed" fs="italic">
        This message was deleted.
      </Text>
    )
  return (
    <>
      <RenderedText html={markMentions(message.html, viewer.id)} />
      {message.editedAt && (
        <Text size="xs" c="dimmed" title={new Date(message.editedAt).toLocaleString()}>
          Edited
        </Text>
      )}
      <Attachments message={message} />
    </>
  )
}
