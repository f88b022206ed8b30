import type { GraphQLSchema, GraphQLTypeResolver } from 'graphql'
import type { Context } from '../context.ts'

type ResolveType = GraphQLTypeResolver<{ __typename?: string }, Context>

/**
 * Makes a value of no type that is known the failure of its field. What throws where a type is asked for, after a
 * promise, would not be caught by code that graphql-jit compiled: its request would never be answered, and the process
 * would end. The same holds for a property that throws when it is read, so no row may have one.
 */
export function catchUnknownTypes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if ('resolveType' in type) type.resolveType = catching(type.resolveType ?? nameInValue)
  }
}

function catching(resolveType: ResolveType): ResolveType {
  return (...args) => {
    try {
      return resolveType(...args)
    } catch {
      return undefined
    }
  }
}

function nameInValue({ __typename }: { __typename?: string }): string | undefined {
  return __typename
}
