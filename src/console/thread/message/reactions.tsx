import { graphql, useFragment } from 'react-relay/hooks'
import type { reactions_message$key } from '../../../generated/console/reactions_message.graphql.ts'
import type { reactionsAddMutation } from '../../../generated/console/reactionsAddMutation.graphql.ts'
import type { reactionsRemoveMutation } from '../../../generated/console/reactionsRemoveMutation.graphql.ts'
import { countReaction } from '../../emoji/used-emoji.ts'
import { useAction } from '../../relay/use-action.ts'
import { nameList } from '../../text/name-list.ts'
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

export function useReact(messageID: string) {
  const add = useAction<reactionsAddMutation>(graphql`
    mutation reactionsAddMutation($input: AddReactionInput!) {
      addReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  const remove = useAction<reactionsRemoveMutation>(graphql`
    mutation reactionsRemoveMutation($input: RemoveReactionInput!) {
      removeReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  return {
    add: (emoji: string) => {
      remove.clear()
      countReaction(emoji)
      add.run({ input: { messageID, emoji } })
    },
    remove: (emoji: string) => {
      add.clear()
      remove.run({ input: { messageID, emoji } })
    },
    problem: add.problem ?? remove.problem,
  }
}
