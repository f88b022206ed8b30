import { graphql, useFragment } from 'react-relay/hooks'
import type { useQuickReactions_message$key } from '../../../generated/console/useQuickReactions_message.graphql.ts'
import { useQuickEmoji } from '../../emoji/used-emoji.ts'

/** An emoji with which the person can react by one click. Another click removes their reaction. */
export type QuickReaction = { emoji: string; isOwn: boolean; toggle: () => void }

type OnEmoji = (emoji: string) => void

export function useQuickReactions(
  key: useQuickReactions_message$key,
  onReact: OnEmoji,
  onUnreact: OnEmoji,
): QuickReaction[] {
  const { reactions } = useFragment(
    graphql`
      fragment useQuickReactions_message on Message {
        reactions(first: 50) { nodes { emoji viewerHasReacted } }
      }
    `,
    key,
  )
  const own = (reactions?.nodes ?? []).flatMap(({ emoji, viewerHasReacted }) =>
    viewerHasReacted ? plainOf(emoji) : [],
  )
  return useQuickEmoji().map((emoji) => {
    const isOwn = own.includes(plainOf(emoji))
    return { emoji, isOwn, toggle: () => (isOwn ? onUnreact : onReact)(emoji) }
  })
}

/** Returns the emoji without the variation selector, which not every keyboard adds. */
function plainOf(emoji: string): string {
  return emoji.replaceAll('\ufe0f', '')
}
