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
import { checkLimit, limits } from './limits.ts'
import { pointsOf } from './points.ts'

/** The assumed size of a list without pages, such as the reactions of a message. */
const plainListSize = 20
/** The sizes of lists without pages that are longer. */
const longLists: Record<string, number> = { 'Webhook.calls': 50, 'Viewer.pins': 100 }

export type Variables = Record<string, unknown>

/** The size of an operation, with fragments expanded. It does not depend on the values of the variables. */
export type Extent = Measurement & { defaults: Variables }

/** `points` is the price of `fieldsOutsideLists`. */
type Measurement = {
  fields: number
  fieldsOutsideLists: number
  points: number
  rootFields: number
  depth: number
  lists: readonly List[]
}

/** A list and the contents of each row. The first valid element of `sizes` is the size. A string names a variable. */
export type List = {
  sizes: readonly (number | string)[]
  fieldsOutsideLists: number
  points: number
  lists: readonly List[]
}

/** Measures an operation. Throws if it has too many fields: a few lines of nested fragments can select millions. */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Extent {
  const root = schema.getRootType(operation.operation) ?? undefined
  const context = { schema, fragments: fragmentsOf(document), known: new Map() }
  const measured = measureSet(operation.selectionSet, root, context)
  const { fields, rootFields, depth } = measured
  checkLimit('fields', fields, `The operation selects ${fields} fields, including those of its fragments`)
  checkLimit('rootFields', rootFields, `The operation has ${rootFields} root fields`)
  checkLimit('depth', depth, `The operation is ${depth} levels deep`)
  return { ...measured, defaults: defaultsOf(operation) }
}

type MeasureContext = {
  schema: GraphQLSchema
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  known: Map<string, Measurement>
}

type Parent = GraphQLNamedType | undefined

function measureSet(set: SelectionSetNode | undefined, parent: Parent, context: MeasureContext): Measurement {
  const total = { fields: 0, fieldsOutsideLists: 0, points: 0, rootFields: 0, depth: 0, lists: [] as List[] }
  for (const selection of set?.selections ?? []) {
    const measured = measureSelection(selection, parent, context)
    total.fields += measured.fields
    total.fieldsOutsideLists += measured.fieldsOutsideLists
    total.points += measured.points
    total.rootFields += measured.rootFields
    total.depth = Math.max(total.depth, measured.depth)
    // The lists of an operation with too many fields do not matter, because it is rejected.
    if (total.fields <= limits.fields) total.lists.push(...measured.lists)
  }
  return total
}

function measureSelection(
  selection: SelectionSetNode['selections'][number],
  parent: Parent,
  context: MeasureContext,
): Measurement {
  switch (selection.kind) {
    case 'FragmentSpread':
      return measureFragment(selection.name.value, context)
    case 'InlineFragment': {
      const condition = selection.typeCondition?.name.value
      const type = condition === undefined ? parent : context.schema.getType(condition)
      return measureSet(selection.selectionSet, type, context)
    }
    default:
      return measureField(selection, parent, context)
  }
}

function measureFragment(name: string, context: MeasureContext): Measurement {
  const known = context.known.get(name)
  if (known) return known
  const fragment = context.fragments.get(name)
  const type = fragment && context.schema.getType(fragment.typeCondition.name.value)
  const measured = measureSet(fragment?.selectionSet, type, context)
  context.known.set(name, measured)
  return measured
}

function measureField(field: FieldNode, parent: Parent, context: MeasureContext): Measurement {
  const definition = definitionOf(field, parent)
  const inner = measureSet(field.selectionSet, definition && namedType(definition, context), context)
  const counted = { fields: inner.fields + 1, rootFields: 1, depth: inner.depth + 1 }
  const sizes = definition && sizesOf(field, definition, parent)
  const points = pointsOf(parent?.name, field.name.value)
  return sizes
    ? {
        ...counted,
        fieldsOutsideLists: 1,
        points,
        lists: [
          {
            sizes,
            fieldsOutsideLists: inner.fieldsOutsideLists,
            points: inner.points,
            lists: inner.lists,
          },
        ],
      }
    : {
        ...counted,
        fieldsOutsideLists: inner.fieldsOutsideLists + 1,
        points: inner.points + points,
        lists: inner.lists,
      }
}

/** Introspection fields have no definition. They return the schema, and graphql-js limits their nesting. */
function definitionOf({ name }: FieldNode, parent: Parent): GraphQLField<unknown, unknown> | undefined {
  const fields = parent && 'getFields' in parent ? parent.getFields() : undefined
  return fields?.[name.value] as GraphQLField<unknown, unknown> | undefined
}

/** Finds the type by name, because a test runner can load graphql-js twice, and each copy rejects the other's types. */
function namedType(definition: GraphQLField<unknown, unknown>, { schema }: MeasureContext): Parent {
  return schema.getType(typeOf(definition).name)
}

type FieldType = { name: string; isConnection: boolean; isList: boolean }
const fieldTypes = new WeakMap<GraphQLField<unknown, unknown>, FieldType>()

/** Caches the type of each field, because printing a type takes longer than the rest of the work for a selection. */
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

/** Returns the sizes of a list, or undefined for other fields and for `nodes`, which is counted with its connection. */
function sizesOf(
  { name, arguments: args = [], selectionSet }: FieldNode,
  definition: GraphQLField<unknown, unknown>,
  parent: Parent,
): List['sizes'] | undefined {
  const type = typeOf(definition)
  const valuesOf = (...names: string[]) =>
    args.filter((arg) => names.includes(arg.name.value)).map(({ value }) => readSize(value))
  if (type.isConnection) return valuesOf('first', 'last')
  const isList = type.isList && selectionSet !== undefined
  if (!isList || isConnection(parent?.name ?? '')) return undefined
  return [...valuesOf('ids'), longLists[`${parent?.name}.${name.value}`] ?? plainListSize]
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
