import { graphql, useFragment } from 'react-relay/hooks'
import type { reactions_message$key } from '../../../../generated/console/reactions_message.graphql.ts'
import { nameList } from '../../../text/name-list.ts'
import styles from './reactions.module.css'

type OnEmoji = (emoji: string) => void
type Props = { message: reactions_message$key; onAdd: OnEmoji; onRemove: OnEmoji }

/** The reactions to a message. Each is a button that adds or removes the reaction of the person. */
export function Reactions({ onAdd, onRemove, ...props }: Props) {
  const { reactions } = useFragment(
    graphql`
      fragment reactions_message on Message {
        reactions(first: 50) { nodes { emoji count viewerHasReacted users(first: 5) { nodes { id name } } } }
      }
    `,
    props.message,
  )
  if (!reactions || reactions.nodes.length === 0) return null
  return (
    <div className={styles.reactions}>
      {reactions.nodes.map(({ emoji, count, viewerHasReacted, users }) => {
        const others = count - users.nodes.length
        const names = nameList(
          users.nodes.map(({ name }) => name),
          others,
        )
        return (
          <button
            key={emoji}
            type="button"
            className={styles.reaction}
            aria-pressed={viewerHasReacted}
            aria-label={`${emoji} ${count}, by ${names}`}
            title={names}
            onClick={() => (viewerHasReacted ? onRemove : onAdd)(emoji)}
          >
            {emoji} {count}
          </button>
        )
      })}
    </div>
  )
}
