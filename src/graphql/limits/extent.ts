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

/** The assumed size of a list without pages, such as the reactions of a message. */
const plainListSize = 20

export type Variables = Record<string, unknown>

/** What an operation selects, with fragments expanded and whatever the values of its variables. */
export type Extent = Selected & { defaults: Variables }

/** `own` counts the fields outside of lists, `points` is their price, and `top` counts the root fields. */
type Selected = {
  fields: number
  own: number
  points: number
  top: number
  depth: number
  lists: readonly List[]
}

/** A list and what each of its rows contains. Its size is the first valid one of `sizes`. A string names a variable. */
export type List = {
  sizes: readonly (number | string)[]
  own: number
  points: number
  within: readonly List[]
}

/** Measures an operation. Throws for too many fields: a few lines of nested fragments can select millions. */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Extent {
  const root = schema.getRootType(operation.operation) ?? undefined
  const measuring = { schema, fragments: fragmentsOf(document), known: new Map() }
  const selected = selectedIn(operation.selectionSet, root, measuring)
  const { fields, top, depth } = selected
  keepWithin('fields', fields, `The operation selects ${fields} fields, including those of its fragments`)
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
    // An operation with too many fields is rejected, so its lists no longer matter.
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

/** Introspection fields have no definition. They return the schema, and graphql-js limits their nesting. */
function definitionOf({ name }: FieldNode, parent: Parent): GraphQLField<unknown, unknown> | undefined {
  const fields = parent && 'getFields' in parent ? parent.getFields() : undefined
  return fields?.[name.value] as GraphQLField<unknown, unknown> | undefined
}

/** By name, because a test runner can load graphql-js twice, and each copy rejects the other's types. */
function namedType(definition: GraphQLField<unknown, unknown>, { schema }: Measuring): Parent {
  return schema.getType(typeOf(definition).name)
}

type FieldType = { name: string; isConnection: boolean; isList: boolean }
const fieldTypes = new WeakMap<GraphQLField<unknown, unknown>, FieldType>()

/** Cached for each field, because printing a type takes longer than the rest of the work for a selection. */
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

/** Returns the sizes of a list, or undefined if the field is not one. Lists in a connection count as the connection. */
function sizesOf(
  { arguments: args = [], selectionSet }: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  parent: Parent,
): List['sizes'] | undefined {
  const type = typeOf(definition)
  const valuesOf = (...names: string[]) =>
    args.filter(({ name }) => names.includes(name.value)).map(({ value }) => readSize(value))
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
  const definitions = operation.variableDefinitions ?? []
  return Object.fromEntries(
    definitions.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && 'value' in defaultValue ? defaultValue.value : undefined,
    ]),
  )
}
