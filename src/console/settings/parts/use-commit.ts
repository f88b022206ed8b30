import { useState } from 'react'
import { useMutation } from 'react-relay/hooks'
import type { GraphQLTaggedNode, MutationParameters, SelectorStoreUpdater } from 'relay-runtime'

type Outcome<M extends MutationParameters> = {
  onDone?: (response: M['response']) => void
  updater?: SelectorStoreUpdater<M['response']> | undefined
}

/** Runs a mutation, and holds the message of its last failure. A result with errors counts as a failure. */
export function useCommit<M extends MutationParameters>(mutation: GraphQLTaggedNode) {
  const [commit, isBusy] = useMutation<M>(mutation)
  const [problem, setProblem] = useState<string | null>(null)
  const run = (variables: M['variables'], { onDone, updater }: Outcome<M> = {}) => {
    setProblem(null)
    commit({
      variables,
      onCompleted: (response, errors) => {
        if (errors && errors.length > 0) setProblem(errors.map(({ message }) => message).join(' '))
        else onDone?.(response)
      },
      onError: (error) => setProblem(error.message),
      ...(updater && { updater }),
    })
  }
  return { run, isBusy, problem, clear: () => setProblem(null) }
}
