import {
  type ASTNode,
  BREAK,
  type DocumentNode,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import type { Context } from '../../context.ts'
import { prefixOf } from '../../platform/ids.ts'

// graphql-jit compiles repeated operations. This file contains the workarounds for its differences from graphql-js.

// Compiling blocks the event loop and uses memory: 20 ms and 1.3 MB at these limits, 1 s and 27 MB with 2,000 fields.
const maxFields = 100
/** The generated code repeats each name for every field below it. */
const maxNameCharacters = 64

const compilableKinds: ReadonlySet<string> = new Set([
  Kind.DOCUMENT,
  Kind.OPERATION_DEFINITION,
  Kind.FRAGMENT_DEFINITION,
  Kind.VARIABLE_DEFINITION,
  Kind.SELECTION_SET,
  Kind.FIELD,
  Kind.FRAGMENT_SPREAD,
  Kind.INLINE_FRAGMENT,
  Kind.ARGUMENT,
  Kind.NAMED_TYPE,
  Kind.LIST_TYPE,
  Kind.NON_NULL_TYPE,
  Kind.VARIABLE,
  Kind.INT,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.NULL,
])

/**
 * graphql-jit writes constants into code, and turns a string that begins with one of its internal markers into code.
 * Therefore only our own IDs are allowed as strings. The following are not compiled, because graphql-jit executes them
 * differently from graphql-js: mutations (an absent variable becomes null inside an object), directives (`@skip` and
 * `@include` on fragments), and names in `Object.prototype`.
 */
export function isCompilable(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fields: number,
): boolean {
  if (operation.operation !== 'query' || fields > maxFields) return false
  let compilable = true
  visit(document, {
    enter: (node) => {
      compilable &&= isKnownGood(node)
      return compilable ? undefined : BREAK
    },
  })
  return compilable
}

function isKnownGood(node: ASTNode): boolean {
  if (node.kind === Kind.STRING) return prefixOf(node.value) !== undefined
  if (node.kind === Kind.NAME)
    return node.value.length <= maxNameCharacters && !(node.value in Object.prototype)
  return compilableKinds.has(node.kind)
}

type ResolveType = GraphQLTypeResolver<{ __typename?: string }, Context>

/** Reports a value of an unknown type as an error of its field. Otherwise `resolveType` would throw. */
export function catchUnknownTypes(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if ('resolveType' in type) type.resolveType = catching(type.resolveType ?? nameInValue)
  }
}

// If `resolveType` throws after a promise has resolved, the process ends. Getters of rows must not throw either.
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

/** Resolves each promise to its value or error. graphql-jit misplaces a rejected promise and shifts the other items. */
export function errorsAsValues<T>(promises: readonly Promise<T>[]): Promise<(T | unknown)[]> {
  return Promise.all(promises.map((promise) => promise.catch((error: unknown) => error)))
}
