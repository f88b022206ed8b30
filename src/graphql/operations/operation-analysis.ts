import { type DocumentNode, type GraphQLSchema, getOperationAST, type OperationDefinitionNode } from 'graphql'
import { type Extent, measure } from '../limits/extent.ts'
import { isCompilable } from './jit.ts'

export type OperationAnalysis = { operation: OperationDefinitionNode; extent: Extent; compilable: boolean }

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
  const analysis = { operation, extent, compilable: isCompilable(document, operation, extent.fields) }
  analyses.set(document, analysis)
  return analysis
}
