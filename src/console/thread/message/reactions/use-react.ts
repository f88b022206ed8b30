import { graphql } from 'react-relay/hooks'
import type { useReactAddMutation } from '../../../../generated/console/useReactAddMutation.graphql.ts'
import type { useReactRemoveMutation } from '../../../../generated/console/useReactRemoveMutation.graphql.ts'
import { useAction } from '../../../relay/use-action.ts'

export function useReact(messageID: string) {
  const add = useAction<useReactAddMutation>(graphql`
    mutation useReactAddMutation($input: AddReactionInput!) {
      addReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  const remove = useAction<useReactRemoveMutation>(graphql`
    mutation useReactRemoveMutation($input: RemoveReactionInput!) {
      removeReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  return {
    add: (emoji: string) => {
      remove.clear()
      add.run({ input: { messageID, emoji } })
    },
    remove: (emoji: string) => {
      add.clear()
      remove.run({ input: { messageID, emoji } })
    },
    problem: add.problem ?? remove.problem,
  }
}
