import { Text } from '@mantine/core'
import { useState } from 'react'
import { graphql, useFragment } from 'react-relay/hooks'
import type { reactions_message$key } from '../../../../generated/console/reactions_message.graphql.ts'
import styles from './reactions.module.css'
import { useReact } from './use-react.ts'

/** The reactions to a message. Each is a button that adds or removes the own one. */
export function Reactions(props: { message: reactions_message$key }) {
  const { id, reactions } = useFragment(
    graphql`
      fragment reactions_message on Message {
        id
        reactions(first: 50) { nodes { emoji count viewerHasReacted users(first: 5) { nodes { id name } } } }
      }
    `,
    props.message,
  )
  const [problem, setProblem] = useState<string | null>(null)
  const react = useReact(id)
  if (!reactions || reactions.nodes.length === 0) return null
  return (
    <div className={styles.reactions}>
      {reactions.nodes.map(({ emoji, count, viewerHasReacted, users }) => {
        const others = count - users.nodes.length
        const names =
          users.nodes.map(({ name }) => name).join(', ') + (others > 0 ? ` and ${others} more` : '')
        return (
          <button
            key={emoji}
            type="button"
            className={styles.reaction}
            aria-pressed={viewerHasReacted}
            aria-label={`${emoji} ${count}, by ${names}`}
            title={names}
            onClick={async () => setProblem(await react(emoji, !viewerHasReacted))}
          >
            {emoji} {count}
          </button>
        )
      })}
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  )
}
