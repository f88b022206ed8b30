import { graphql } from 'react-relay/hooks'
import type { RecordSourceSelectorProxy } from 'relay-runtime'
import type { usePinGroupMutation } from '../../generated/console/usePinGroupMutation.graphql.ts'
import type { usePinThreadMutation } from '../../generated/console/usePinThreadMutation.graphql.ts'
import type { usePinUnpinGroupMutation } from '../../generated/console/usePinUnpinGroupMutation.graphql.ts'
import type { usePinUnpinThreadMutation } from '../../generated/console/usePinUnpinThreadMutation.graphql.ts'
import { keepPins } from '../relay/keep-pins.ts'
import { useAction } from '../relay/use-action.ts'

/** Returns a function that pins a group or thread, or unpins it. The sidebar shows the pins. */
export function usePin(onDone: () => void) {
  const pinGroup = useAction<usePinGroupMutation>(graphql`
    mutation usePinGroupMutation($input: PinGroupInput!) {
      pinGroup(input: $input) { group { isPinned } viewer { pins { ...sidePins_pins } } }
    }
  `)
  const unpinGroup = useAction<usePinUnpinGroupMutation>(graphql`
    mutation usePinUnpinGroupMutation($input: UnpinGroupInput!) {
      unpinGroup(input: $input) { group { isPinned } viewer { pins { ...sidePins_pins } } }
    }
  `)
  const pinThread = useAction<usePinThreadMutation>(graphql`
    mutation usePinThreadMutation($input: PinThreadInput!) {
      pinThread(input: $input) { thread { isPinned } viewer { pins { ...sidePins_pins } } }
    }
  `)
  const unpinThread = useAction<usePinUnpinThreadMutation>(graphql`
    mutation usePinUnpinThreadMutation($input: UnpinThreadInput!) {
      unpinThread(input: $input) { thread { isPinned } viewer { pins { ...sidePins_pins } } }
    }
  `)
  const setPinned = (id: string, isPinned: boolean) => {
    const isGroup = id.startsWith('grp_')
    const field = `${isPinned ? 'pin' : 'unpin'}${isGroup ? 'Group' : 'Thread'}`
    const updater = (store: RecordSourceSelectorProxy) => keepPins(store, field)
    if (isGroup) return (isPinned ? pinGroup : unpinGroup).run({ input: { groupID: id } }, onDone, updater)
    return (isPinned ? pinThread : unpinThread).run({ input: { threadID: id } }, onDone, updater)
  }
  return {
    setPinned,
    problem: pinGroup.problem ?? unpinGroup.problem ?? pinThread.problem ?? unpinThread.problem,
  }
}
