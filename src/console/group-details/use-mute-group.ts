import { graphql } from 'react-relay/hooks'
import type { useMuteGroupMutation } from '../../generated/console/useMuteGroupMutation.graphql.ts'
import type { useMuteGroupUndoMutation } from '../../generated/console/useMuteGroupUndoMutation.graphql.ts'
import { useAction } from '../relay/use-action.ts'

/** Mutes a group, or ends muting it. */
export function useMuteGroup() {
  const mute = useAction<useMuteGroupMutation>(graphql`
    mutation useMuteGroupMutation($input: MuteGroupInput!) { muteGroup(input: $input) { group { isMuted } } }
  `)
  const unmute = useAction<useMuteGroupUndoMutation>(graphql`
    mutation useMuteGroupUndoMutation($input: UnmuteGroupInput!) { unmuteGroup(input: $input) { group { isMuted } } }
  `)
  return {
    toggle: ({ id, isMuted }: { id: string; isMuted: boolean }) =>
      (isMuted ? unmute : mute).run({ input: { groupID: id } }),
    problem: mute.problem ?? unmute.problem,
  }
}
