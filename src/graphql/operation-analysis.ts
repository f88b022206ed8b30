import { type DocumentNode, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql'
import { isCompilable } from './jit.ts'
import { type Extent, measure } from './limits/extent.ts'

export type Plan = { operation: OperationDefinitionNode; extent: Extent; compilable: boolean }

const plans = new WeakMap<DocumentNode, Plan>()

/** Returns the plan, cached by document: a document must always come with the same operation name. */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): Plan | undefined {
  const known = plans.get(document)
  if (known) return known
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const extent = measure(schema, document, operation)
  const plan = { operation, extent, compilable: isCompilable(document, operation, extent.fields) }
  plans.set(document, plan)
  return plan
}
