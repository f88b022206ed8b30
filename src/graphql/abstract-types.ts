import type { GraphQLSchema, GraphQLTypeResolver } from 'graphql'
import type { Context } from '../context.ts'

type ResolveType = GraphQLTypeResolver<{ __typename?: string }, Context>

/**
 * Makes a value of unknown type an error of its field. If `resolveType` throws after a promise, graphql-jit never
 * answers and the process exits. The same holds for a property that throws, so no row may have one.
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
