import {
  buildASTSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getIntrospectionQuery,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  parse,
} from 'graphql'
import { typeDefs } from '../../src/generated/type-defs.ts'

/** The public schema. */
export const schema = buildASTSchema(parse(typeDefs.join('\n')))
export const operatorTypes = [
  'App',
  'Installation',
  'Webhook',
  'EventEndpoint',
  'EventDelivery',
  'EventAttempt',
].flatMap((name) => [name, `${name}Connection`, `${name}Edge`])

export function objectType(name: string): GraphQLObjectType {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(`${name} is not an object type`)
  return type
}

/** Returns the fields of a type that an app can select, or all fields for the operator. */
export function fieldsOf(type: GraphQLObjectType, forOperator = false): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter(
    (field) => forOperator || !field.description?.endsWith('Requires the operator token.'),
  )
}

/**
 * Selects all fields of a type, and of nested objects down to a number of levels. Connections and edges do
 * not count as levels. Below Query, only one field takes an ID, and this is the ID of a group.
 */
export function selectionOf(type: GraphQLNamedType, levels: number, forOperator = false): string {
  if (isAbstractType(type)) {
    const possible = schema
      .getPossibleTypes(type)
      .filter(({ name }) => forOperator || !operatorTypes.includes(name))
    const parts = possible.map((each) => fragmentOn(each, levels, forOperator))
    return `__typename ${parts.join(' ')}`
  }
  if (!isObjectType(type)) return ''
  return ['__typename', ...partsOf(type, levels, forOperator)].join(' ')
}

/** The types of the fields of all nodes, by the name of the field. */
const fieldTypes = new Map<string, Set<string>>()
for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
  if (type.getInterfaces().length === 0) continue
  for (const field of Object.values(type.getFields()))
    fieldTypes.set(field.name, (fieldTypes.get(field.name) ?? new Set()).add(String(field.type)))
}

/** Selects all fields of one of several types. Fields that other types have with another type get an alias. */
function fragmentOn(type: GraphQLObjectType, levels: number, forOperator = false): string {
  const parts = partsOf(type, levels, forOperator).filter((part) => part !== '')
  const named = parts.map((part) => {
    const [name = ''] = part.split(/\W/, 1)
    return (fieldTypes.get(name)?.size ?? 0) > 1 ? `${type.name}_${name}: ${part}` : part
  })
  return `... on ${type.name} { ${named.join(' ')} }`
}

/** Returns the selection of each field of a type. */
function partsOf(type: GraphQLObjectType, levels: number, forOperator: boolean): string[] {
  return fieldsOf(type, forOperator).map((field) => {
    const child = getNamedType(field.type)
    if (isLeafType(child)) return field.name
    const isLevel = !/(Connection|Edge|PageInfo)$/.test(child.name) || child.name === 'UserEdge'
    // The edges of a page also contain its nodes, and select all fields of the nodes. The pins have no pages.
    const isList = ['nodes', 'pins'].includes(field.name)
    const left = isList ? Math.min(levels - 1, 0) : isLevel ? levels - 1 : levels
    return left < 0 ? '' : `${field.name}${argumentsFor(field)} { ${selectionOf(child, left, forOperator)} }`
  })
}

/** Selects all fields of a type. Returns several selections if a document cannot have so many fields. */
export function selectionsOf(type: GraphQLNamedType, levels: number): string[] {
  const whole = selectionOf(type, levels)
  if (!isObjectType(type) || countWords(whole) < maxSelections) return [whole]
  const selections: string[] = []
  let [selection, size] = ['__typename', 1]
  for (const part of partsOf(type, levels, false)) {
    if (size + countWords(part) > maxSelections) {
      selections.push(selection)
      ;[selection, size] = ['__typename', 1]
    }
    selection += ` ${part}`
    size += countWords(part)
  }
  return [...selections, selection]
}

/** A little less than the service's limit. */
const maxSelections = 1900

function countWords(selection: string): number {
  return selection.match(/\w+/g)?.length ?? 0
}

/** Pages of 12 contain all objects of the world, and stay below the node limit. */
function argumentsFor({ args }: GraphQLField<unknown, unknown>): string {
  if (args.some(({ name }) => name === 'first')) return '(first: 12)'
  if (args.some(({ name }) => name === 'templates')) return '(templates: { text: "{{ text }}" })'
  return args.some(({ name }) => name === 'id') ? '(id: $groupID)' : ''
}

/** The standard introspection query with all its options. */
export const wholeIntrospection = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})
