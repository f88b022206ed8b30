import { Text } from '@mantine/core'
import { graphql, useFragment } from 'react-relay/hooks'
import type { messageContent_message$key } from '../../../generated/console/messageContent_message.graphql.ts'
import { type MentionProps, mentionAttributes, UserMentionContext } from '../../page/reading/mention.tsx'
import { RenderedText } from '../../page/reading/rendered-text.tsx'
import { PlaceLinkContext } from '../../page/reading/text-link.tsx'
import { StateMark } from '../../page/state-mark.tsx'
import { PersonButton } from '../../people/person-button.tsx'
import { useViewer } from '../../session/viewer.ts'
import { Attachments } from './attachments/attachments.tsx'
import styles from './message-content.module.css'
import { markMentions } from './own-mentions.ts'
import { PlaceLink } from './places/place-link.tsx'

type Props = {
  message: messageContent_message$key
  /** Whether nothing in the text is folded at first. */
  isOpened: boolean
}

/** The text of a message with its state and its files, or a note that it was deleted. */
export function MessageContent({ isOpened, ...props }: Props) {
  const viewer = useViewer()
  const message = useFragment(
    graphql`
      fragment messageContent_message on Message { id html state editedAt deletedAt ...attachments_message }
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
        <PlaceLinkContext value={PlaceLink}>
          <UserMentionContext value={UserMention}>
            <RenderedText id={message.id} html={markMentions(message.html, viewer.id)} isOpened={isOpened} />
          </UserMentionContext>
        </PlaceLinkContext>
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

function UserMention(mention: MentionProps) {
  const { id, name } = mention
  return (
    <PersonButton user={{ id, name: name.slice(1) }} {...mentionAttributes(mention)}>
      {name}
    </PersonButton>
  )
}
