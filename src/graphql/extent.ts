import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql'
import { keepWithin, limits } from './limits.ts'
import { pointsOf } from './points.ts'

/** Of a list that has no pages, such as the reactions of a message. */
const plainListSize = 20

export type Variables = Record<string, unknown>

/** What an operation selects, whatever its variables: its fields with the fragments written out, and its lists. */
export type Extent = Selected & { defaults: Variables }

/** `own` are the fields that are not within a list, with their `points`; `top` those of the first level. */
type Selected = {
  fields: number
  own: number
  points: number
  top: number
  depth: number
  lists: readonly List[]
}

/** A list with what is in each of its rows. Its size is the first of `sizes` that is one; a string names a variable. */
export type List = {
  sizes: readonly (number | string)[]
  own: number
  points: number
  within: readonly List[]
}

/**
 * Measures an operation, once for all its requests. Throws `limit_exceeded` for too many fields, of which a few lines
 * of fragments that use each other twice select millions, and for too many levels.
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Extent {
  const root = schema.getRootType(operation.operation) ?? undefined
  const measuring = { schema, fragments: fragmentsOf(document), known: new Map() }
  const selected = selectedIn(operation.selectionSet, root, measuring)
  const { fields, top, depth } = selected
  keepWithin('fields', fields, `The operation selects ${fields} fields with its fragments`)
  keepWithin('rootFields', top, `The operation has ${top} root fields`)
  keepWithin('depth', depth, `The operation is ${depth} levels deep`)
  return { ...selected, defaults: defaultsOf(operation) }
}

type Measuring = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  known: Map<string, Selected>
}

type Parent = GraphQLNamedType | undefined

function selectedIn(set: SelectionSetNode | undefined, parent: Parent, measuring: Measuring): Selected {
  const total = { fields: 0, own: 0, points: 0, top: 0, depth: 0, lists: [] as List[] }
  for (const selection of set?.selections ?? []) {
    const { fields, own, points, top, depth, lists } = selectedBy(selection, parent, measuring)
    total.fields += fields
    total.own += own
    total.points += points
    total.top += top
    total.depth = Math.max(total.depth, depth)
    // Those of more fields than may be are written out no further: they are refused.
    if (total.fields <= limits.fields) total.lists.push(...lists)
  }
  return total
}

function selectedBy(
  selection: SelectionSetNode['selections'][number],
  parent: Parent,
  measuring: Measuring,
): Selected {
  switch (selection.kind) {
    case 'FragmentSpread':
      return selectedInFragment(selection.name.value, measuring)
    case 'InlineFragment': {
      const condition = selection.typeCondition?.name.value
      const type = condition === undefined ? parent : measuring.schema.getType(condition)
      return selectedIn(selection.selectionSet, type, measuring)
    }
    default:
      return selectedInField(selection, parent, measuring)
  }
}

function selectedInFragment(name: string, measuring: Measuring): Selected {
  const known = measuring.known.get(name)
  if (known) return known
  const fragment = measuring.fragments.get(name)
  const type = fragment && measuring.schema.getType(fragment.typeCondition.name.value)
  const selected = selectedIn(fragment?.selectionSet, type, measuring)
  measuring.known.set(name, selected)
  return selected
}

function selectedInField(field: FieldNode, parent: Parent, measuring: Measuring): Selected {
  const definition = definitionOf(field, parent)
  const inner = selectedIn(field.selectionSet, definition && namedType(definition, measuring), measuring)
  const counted = { fields: inner.fields + 1, top: 1, depth: inner.depth + 1 }
  const sizes = definition && sizesOf(field, definition, parent)
  const points = pointsOf(parent?.name, field.name.value)
  return sizes
    ? {
        ...counted,
        own: 1,
        points,
        lists: [{ sizes, own: inner.own, points: inner.points, within: inner.lists }],
      }
    : { ...counted, own: inner.own + 1, points: inner.points + points, lists: inner.lists }
}

/** Those of introspection have none: what they answer is the schema, and graphql-js limits how often it is repeated. */
function definitionOf({ name }: FieldNode, parent: Parent): GraphQLField<unknown, unknown> | undefined {
  const fields = parent && 'getFields' in parent ? parent.getFields() : undefined
  return fields?.[name.value] as GraphQLField<unknown, unknown> | undefined
}

/** By name: a test runner may load graphql-js twice, which then calls types of the other one strangers. */
function namedType(definition: GraphQLField<unknown, unknown>, { schema }: Measuring): Parent {
  return schema.getType(typeOf(definition).name)
}

type FieldType = { name: string; isConnection: boolean; isList: boolean }
const fieldTypes = new WeakMap<GraphQLField<unknown, unknown>, FieldType>()

/** Read once for each field of the schema: to print a type takes longer than all else that is done for a selection. */
function typeOf(definition: GraphQLField<unknown, unknown>): FieldType {
  const known = fieldTypes.get(definition)
  if (known) return known
  const type = String(definition.type)
  const read = {
    name: type.replace(/[[\]!]/g, ''),
    isConnection: isConnection(type),
    isList: type.startsWith('['),
  }
  fieldTypes.set(definition, read)
  return read
}

/** The sizes given to a list, or undefined for a field that is none. The lists in a connection are its own. */
function sizesOf(
  { arguments: given = [], selectionSet }: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  parent: Parent,
): List['sizes'] | undefined {
  const type = typeOf(definition)
  const valuesOf = (...names: string[]) =>
    given.filter(({ name }) => names.includes(name.value)).map(({ value }) => readSize(value))
  if (type.isConnection) return valuesOf('first', 'last')
  const isList = type.isList && selectionSet !== undefined
  return isList && !isConnection(parent?.name ?? '') ? [...valuesOf('ids'), plainListSize] : undefined
}

function isConnection(type: string): boolean {
  return /Connection!?$/.test(type)
}

function readSize(value: ValueNode): number | string {
  if (value.kind === 'Variable') return value.name.value
  if (value.kind === 'ListValue') return value.values.length
  return value.kind === 'IntValue' ? Number(value.value) : -1
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
}

function defaultsOf(operation: OperationDefinitionNode): Variables {
  const given = operation.variableDefinitions ?? []
  return Object.fromEntries(
    given.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && 'value' in defaultValue ? defaultValue.value : undefined,
    ]),
  )
}
