import { type DocumentNode, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql'
import { limitCost } from '../limits/cost.ts'
import { type Extent, measure } from '../limits/extent.ts'
import { cheapPoints } from '../limits/points.ts'
import { isCompilable } from './jit.ts'

export type OperationAnalysis = {
  operation: OperationDefinitionNode
  extent: Extent
  compilable: boolean
  isCheap: boolean
}

const analyses = new WeakMap<DocumentNode, OperationAnalysis>()

/** Returns the analysis, which is cached by document. A document must always come with the same operation name. */
export function analysisOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): OperationAnalysis | undefined {
  const known = analyses.get(document)
  if (known) return known
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const extent = measure(schema, document, operation)
  const compilable = isCompilable(document, operation, extent.fields)
  const analysis = { operation, extent, compilable, isCheap: isCheap(extent) }
  analyses.set(document, analysis)
  return analysis
}

// The price of a list depends on the variables. Whatever its page size, its statement can take long.
function isCheap(extent: Extent): boolean {
  return extent.lists.length === 0 && limitCost(extent, undefined) <= cheapPoints
}
