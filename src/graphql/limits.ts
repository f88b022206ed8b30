import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { AppError } from '../errors.ts'

const maxFields = 2000
const maxNodes = 200_000
const defaultPageSize = 50
/** Of `nodes(ids)`. */
const maxIDs = 100

type Variables = Record<string, unknown>

/** What an operation selects, whatever its variables: its fields with the fragments written out, and its lists. */
export type Extent = Selected & { defaults: Variables }
type Selected = { fields: number; lists: readonly List[] }

/** A list with the lists in its rows. Its page size is the first of `sizes` that is one; a string names a variable. */
type List = { sizes: readonly (number | string)[]; within: readonly List[] }

/**
 * Measures an operation, once for all its requests. Throws `invalid_input` for too many fields: a few lines of
 * fragments that use each other twice select millions.
 */
export function measure(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Extent {
  const { fields, lists } = selectedIn(operation.selectionSet, {
    connections: connectionsOf(schema),
    fragments: fragmentsOf(document),
    known: new Map(),
  })
  if (fields > maxFields) throw tooLarge(`selects ${fields} fields with its fragments; ${maxFields}`)
  return { fields, lists, defaults: defaultsOf(operation) }
}

/**
 * Refuses an operation that could answer too much, before anything runs: it may ask for as many nodes as its lists
 * could hold together, which is the page size of a list, times that of the lists within. Throws `invalid_input`.
 */
export function limitNodes({ lists, defaults }: Extent, variables: Variables | undefined): void {
  const nodes = nodesOf(lists, { ...defaults, ...variables })
  if (nodes > maxNodes) throw tooLarge(`asks for up to ${nodes} nodes, by its page sizes; ${maxNodes}`)
}

function nodesOf(lists: readonly List[], variables: Variables): number {
  let nodes = 0
  for (const { sizes, within } of lists) {
    nodes += pageSizeOf(sizes, variables) * (1 + nodesOf(within, variables))
  }
  return nodes
}

/** A size that is none is for the list to refuse. */
function pageSizeOf(sizes: List['sizes'], variables: Variables): number {
  for (const given of sizes) {
    const size = typeof given === 'string' ? variables[given] : given
    if (size !== null && Number(size) >= 0) return Number(size)
  }
  return defaultPageSize
}

function tooLarge(what: string): AppError {
  return new AppError('invalid_input', `The operation ${what} are the limit. Ask for less at a time.`)
}

type Measuring = {
  connections: ReadonlySet<string>
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  known: Map<string, Selected>
}

function selectedIn(set: SelectionSetNode | undefined, measuring: Measuring): Selected {
  const lists: List[] = []
  let fields = 0
  for (const selection of set?.selections ?? []) {
    const inner =
      selection.kind === 'FragmentSpread'
        ? selectedInFragment(selection.name.value, measuring)
        : selectedIn(selection.selectionSet, measuring)
    const sizes = selection.kind === 'Field' ? sizesOf(selection, measuring) : undefined
    fields += inner.fields + (selection.kind === 'Field' ? 1 : 0)
    // Those of more fields than may be are written out no further: they are refused.
    if (sizes) lists.push({ sizes, within: inner.lists })
    else if (fields <= maxFields) lists.push(...inner.lists)
  }
  return { fields, lists }
}

function selectedInFragment(name: string, measuring: Measuring): Selected {
  const selected =
    measuring.known.get(name) ?? selectedIn(measuring.fragments.get(name)?.selectionSet, measuring)
  measuring.known.set(name, selected)
  return selected
}

/** The sizes given to a list, or undefined for a field that is none. */
function sizesOf(field: FieldNode, { connections }: Measuring): (number | string)[] | undefined {
  const given = field.arguments ?? []
  if (given.some(({ name }) => name.value === 'ids')) return [maxIDs]
  if (!connections.has(field.name.value)) return undefined
  return given
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) =>
      value.kind === 'Variable' ? value.name.value : 'value' in value ? Number(value.value) : -1,
    )
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

const knownConnections = new WeakMap<GraphQLSchema, ReadonlySet<string>>()

/** The names of the fields that are connections. No other field has such a name. */
function connectionsOf(schema: GraphQLSchema): ReadonlySet<string> {
  const known = knownConnections.get(schema)
  if (known) return known
  const types = Object.values(schema.getTypeMap()).filter((type) => 'getFields' in type)
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  const connections = new Set(
    fields.filter(({ type }) => /Connection!?$/.test(String(type))).map(({ name }) => name),
  )
  knownConnections.set(schema, connections)
  return connections
}
