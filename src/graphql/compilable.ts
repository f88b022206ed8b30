import { type ASTNode, BREAK, type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql'
import { prefixOf } from '../platform/ids.ts'

// To compile holds the event loop: at these limits for 20 ms and for 1.3 MB, and with 2,000 fields for a second and 27 MB.
const maxFields = 100
/** Each name stands in the code once for each field below it. */
const maxNameCharacters = 64

const kinds: ReadonlySet<string> = new Set([
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
 * Whether graphql-jit may turn the operation into code. It writes the constants of a document into that code, and a
 * string that begins with one of its own marks becomes code itself: so no string gets there but an ID of ours. Nor
 * do the things that it answers otherwise than graphql-js: mutations, where a variable that was not sent becomes null
 * inside an object; `@skip` and `@include` on fragments; names that every object of JavaScript has.
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
  return kinds.has(node.kind)
}
