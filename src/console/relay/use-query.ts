import { createContext, useContext } from 'react'
import { useLazyLoadQuery } from 'react-relay/hooks'
import type { FetchPolicy, GraphQLTaggedNode, OperationType, VariablesOf } from 'relay-runtime'

/** The number of the attempt to load a part of the page. It changes after a failure. */
export const AttemptContext = createContext(0)

type Options = { fetchKey?: string | number; fetchPolicy?: FetchPolicy }

/** Loads a query. After a failure, the next attempt loads it again. Relay alone would return the same failure for minutes. */
export function useQuery<Q extends OperationType>(
  query: GraphQLTaggedNode,
  variables: VariablesOf<Q>,
  options: Options = {},
): Q['response'] {
  const attempt = useContext(AttemptContext)
  return useLazyLoadQuery<Q>(query, variables, {
    ...options,
    fetchKey: `${attempt}-${options.fetchKey ?? ''}`,
  })
}
