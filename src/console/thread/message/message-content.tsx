import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageContent_message$key } from '../../../generated/console/messageContent_message.graphql.ts'
import { RenderedText } from '../../page/rendered-text.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { useViewer } from '../../session/viewer.ts'
import { Attachments } from './attachments/attachments.tsx'
import styles from './message-content.module.css'
import { markMentions } from './own-mentions.ts'

/** The text of a message with its state and its files, or a note that it was deleted. */
export function MessageContent(props: { message: messageContent_message$key }) {
  const viewer = useViewer()
  const message = useFragment(
    graphql`
      fragment messageContent_message on Message { html state editedAt deletedAt ...attachments_message }
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
      <div className={styles.text} data-state={message.state}>
        <StateMark state={message.state} />
        <RenderedText html={markMentions(message.html, viewer.id)} />
      </div>
      {message.editedAt && (
        <Text size="xs" c="dimmed" title={new Date(message.editedAt).toLocaleString()}>
          Edited
        </Text>
      )}
      <Attachments message={message} />
    </>
  )
}
