import { useState } from 'react'
import { type UseMutationConfig, useMutation } from 'react-relay/hooks'
import type { GraphQLTaggedNode, MutationParameters } from 'relay-runtime'

/** A mutation with its problem, which is the message of any error. A call without an error clears it. */
export function useAction<Operation extends MutationParameters>(mutation: GraphQLTaggedNode) {
  const [problem, setProblem] = useState<string | null>(null)
  const [commit, isRunning] = useMutation<Operation>(mutation)
  const run = (
    variables: Operation['variables'],
    onDone?: (response: Operation['response']) => void,
    config?: Pick<UseMutationConfig<Operation>, 'updater'>,
  ) => {
    commit({
      ...config,
      variables,
      onCompleted: (response, errors) => {
        const [error] = errors ?? []
        setProblem(error?.message ?? null)
        if (!error) onDone?.(response)
      },
      onError: (error) => setProblem(error.message),
    })
  }
  return { run, isRunning, problem }
}
