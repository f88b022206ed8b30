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

type Size = { fields: number; nodes: number }
type Variables = Record<string, unknown> | undefined

/**
 * Refuses an operation that could answer too much, before anything runs. Its fields are counted with the fragments
 * written out: a few lines of fragments that use each other twice select millions. Its nodes are what its lists could
 * hold together: the page size of a list, times that of the lists within. Throws `invalid_input`.
 */
export function limitSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): void {
  const { fields, nodes } = sizeOf(operation.selectionSet, {
    lists: listsOf(schema),
    fragments: fragmentsOf(document),
    known: new Map(),
    variables: { ...defaultsOf(operation), ...variables },
  })
  if (fields > maxFields) throw tooLarge(`selects ${fields} fields with its fragments; ${maxFields}`)
  if (nodes > maxNodes) throw tooLarge(`asks for up to ${nodes} nodes, by its page sizes; ${maxNodes}`)
}

function tooLarge(what: string): AppError {
  return new AppError('invalid_input', `The operation ${what} are the limit. Ask for less at a time.`)
}

type Measuring = {
  lists: ReadonlySet<string>
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  known: Map<string, Size>
  variables: Record<string, unknown>
}

function sizeOf(set: SelectionSetNode | undefined, measuring: Measuring): Size {
  const size = { fields: 0, nodes: 0 }
  for (const selection of set?.selections ?? []) {
    const inner =
      selection.kind === 'FragmentSpread'
        ? sizeOfFragment(selection.name.value, measuring)
        : sizeOf(selection.selectionSet, measuring)
    const page = selection.kind === 'Field' ? pageSizeOf(selection, measuring) : undefined
    size.fields += inner.fields + (selection.kind === 'Field' ? 1 : 0)
    size.nodes += page === undefined ? inner.nodes : page * (1 + inner.nodes)
  }
  return size
}

function sizeOfFragment(name: string, measuring: Measuring): Size {
  const size = measuring.known.get(name) ?? sizeOf(measuring.fragments.get(name)?.selectionSet, measuring)
  measuring.known.set(name, size)
  return size
}

/** How many rows a list may answer, or undefined for a field that is none. A bad size is for the list to refuse. */
function pageSizeOf(field: FieldNode, { lists, variables }: Measuring): number | undefined {
  const given = field.arguments ?? []
  if (given.some(({ name }) => name.value === 'ids')) return maxIDs
  if (!lists.has(field.name.value)) return undefined
  for (const { name, value } of given) {
    if (name.value !== 'first' && name.value !== 'last') continue
    const size = value.kind === 'Variable' ? variables[value.name.value] : 'value' in value && value.value
    if (size !== null && Number(size) >= 0) return Number(size)
  }
  return defaultPageSize
}

function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter((definition) => definition.kind === 'FragmentDefinition')
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
}

function defaultsOf(operation: OperationDefinitionNode): Record<string, unknown> {
  const given = operation.variableDefinitions ?? []
  return Object.fromEntries(
    given.map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue && 'value' in defaultValue ? defaultValue.value : undefined,
    ]),
  )
}

const knownLists = new WeakMap<GraphQLSchema, ReadonlySet<string>>()

/** The names of the fields that are connections. No other field has such a name. */
function listsOf(schema: GraphQLSchema): ReadonlySet<string> {
  const known = knownLists.get(schema)
  if (known) return known
  const types = Object.values(schema.getTypeMap()).filter((type) => 'getFields' in type)
  const fields = types.flatMap((type) => Object.values(type.getFields()))
  const lists = new Set(
    fields.filter(({ type }) => /Connection!?$/.test(String(type))).map(({ name }) => name),
  )
  knownLists.set(schema, lists)
  return lists
}
