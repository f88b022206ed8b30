import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { AppError } from '../errors.ts'

const maxFields = 2000

/**
 * Refuses an operation that selects too many fields once its fragments are written out: a few lines of fragments that
 * use each other twice select millions. Throws `invalid_input`.
 */
export function limitFields(document: DocumentNode, operation: OperationDefinitionNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition)
  }
  const counted = new Map<string, number>()
  const countFragment = (name: string): number => {
    const count = counted.get(name) ?? countFields(fragments.get(name)?.selectionSet)
    counted.set(name, count)
    return count
  }
  const countFields = (set: SelectionSetNode | undefined): number => {
    let count = 0
    for (const selection of set?.selections ?? []) {
      if (selection.kind === 'FragmentSpread') count += countFragment(selection.name.value)
      else count += (selection.kind === 'Field' ? 1 : 0) + countFields(selection.selectionSet)
    }
    return count
  }
  const count = countFields(operation.selectionSet)
  if (count <= maxFields) return
  throw new AppError(
    'invalid_input',
    `The operation selects ${count} fields with its fragments; ${maxFields} are the limit.`,
  )
}
