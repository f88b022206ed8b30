import { useRef, useState } from 'react'
import { useMutation } from 'react-relay/hooks'
import type { GraphQLTaggedNode, MutationParameters, SelectorStoreUpdater } from 'relay-runtime'
import { errorText, splitProblems } from './error-text.ts'

type Failure = { text: string | null; reason: string | undefined; fields: Partial<Record<string, string>> }
const none: Failure = { text: null, reason: undefined, fields: {} }

/**
 * Runs a mutation, and holds the message of its last failure. A result with errors counts as a failure. The problems of
 * `shownFields` are in `fieldProblems` instead of `problem`. Ignores a call while a call with the same variables is in
 * flight.
 */
export function useAction<M extends MutationParameters>(
  mutation: GraphQLTaggedNode,
  shownFields: readonly string[] = [],
) {
  const [commit, isRunning] = useMutation<M>(mutation)
  const [failure, setFailure] = useState(none)
  const [isDone, setDone] = useState(false)
  // A second click can come before React has disabled the button.
  const running = useRef(new Set<string>())
  const run = (
    variables: M['variables'],
    onDone?: (response: M['response']) => void,
    updater?: SelectorStoreUpdater<M['response']>,
  ) => {
    const call = JSON.stringify(variables)
    if (running.current.has(call)) return
    running.current.add(call)
    setFailure(none)
    setDone(false)
    commit({
      variables,
      onCompleted: (response, errors) => {
        running.current.delete(call)
        if (errors && errors.length > 0) return setFailure(splitProblems(errors, shownFields))
        setDone(true)
        onDone?.(response)
      },
      onError: (error) => {
        running.current.delete(call)
        setFailure({ ...none, text: errorText(error) })
      },
      ...(updater && { updater }),
    })
  }
  return {
    run,
    isRunning,
    /** Whether the last call succeeded. */
    isDone,
    problem: failure.text,
    reason: failure.reason,
    fieldProblems: failure.fields,
    clear: () => {
      setFailure(none)
      setDone(false)
    },
  }
}
