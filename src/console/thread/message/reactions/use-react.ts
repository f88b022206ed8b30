import { graphql, useMutation } from 'react-relay/hooks'
import type { useReactAddMutation } from '../../../../generated/console/useReactAddMutation.graphql.ts'
import type { useReactRemoveMutation } from '../../../../generated/console/useReactRemoveMutation.graphql.ts'
import { problemOf } from '../../../relay/problem-of.ts'

/** Returns a function that adds or removes a reaction. It returns the problem, or null. */
export function useReact(messageID: string): (emoji: string, isOn: boolean) => Promise<string | null> {
  const [add] = useMutation<useReactAddMutation>(graphql`
    mutation useReactAddMutation($input: AddReactionInput!) {
      addReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  const [remove] = useMutation<useReactRemoveMutation>(graphql`
    mutation useReactRemoveMutation($input: RemoveReactionInput!) {
      removeReaction(input: $input) { message { ...reactions_message } }
    }
  `)
  return (emoji, isOn) =>
    problemOf((config) => (isOn ? add : remove)({ ...config, variables: { input: { messageID, emoji } } }))
}
