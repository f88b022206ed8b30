// Writes what the .graphql files leave out. .github/CONTRIBUTING.md describes the marks.
import { Kind, parse, print, valueFromASTUntyped, visit } from 'graphql'

const [lists] = parse(`type Query {
  all(
    "Returns the first n elements. 50 by default, at most 100."
    first: Int
    "Returns elements after this cursor."
    after: String
    "Returns the last n elements. At most 100."
    last: Int
    "Returns elements before this cursor."
    before: String
  ): Int
}`).definitions
const [{ arguments: pageArguments }] = lists.fields

function connectionOf(type) {
  const noun = type.replace(/\B[A-Z]/g, ' $&').toLowerCase()
  const nouns = noun.endsWith('s') ? `${noun}es` : `${noun}s`
  return parse(`
"An item in a list of ${nouns}, with its cursor."
type ${type}Edge {
  "The cursor of the ${noun} in the list."
  cursor: String!
  "The ${noun}."
  node: ${type}!
}
"A page of ${nouns}."
type ${type}Connection {
  "The ${nouns} with their cursors."
  edges: [${type}Edge!]!
  "The ${nouns} without cursors."
  nodes: [${type}!]!
  "Information about the page."
  pageInfo: PageInfo!
}`).definitions
}

/** Returns the node without its mark, or undefined if it does not have the mark. */
function unmarked(node, mark) {
  const directives = node.directives.filter(({ name }) => name.value !== mark)
  return directives.length < node.directives.length ? { ...node, directives } : undefined
}

function expandField(field) {
  const unpaged = unmarked(field, 'page')
  if (unpaged && !/Connection!?$/.test(print(field.type))) {
    throw new Error(`The field ${field.name.value} has @page, but its type is not a connection.`)
  }
  return unpaged && { ...unpaged, arguments: [...field.arguments, ...pageArguments] }
}

/** Adds the fields of another input, except those that the input has itself, and those that the mark leaves out. */
function withFieldsOf(type, inputs) {
  const unmixed = unmarked(type, 'fieldsOf')
  if (!unmixed) return type
  const { arguments: given } = type.directives.find(({ name }) => name.value === 'fieldsOf')
  const { input, except } = Object.fromEntries(
    given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  )
  const other = inputs.find(({ name }) => name.value === input)
  if (!other) throw new Error(`The input ${type.name.value} has @fieldsOf, but there is no input ${input}.`)
  const own = [...(except ?? []), ...type.fields.map(({ name }) => name.value)]
  return {
    ...unmixed,
    fields: [...type.fields, ...other.fields.filter(({ name }) => !own.includes(name.value))],
  }
}

function expandType(type) {
  const unlisted = type.kind === Kind.OBJECT_TYPE_DEFINITION && unmarked(type, 'connection')
  if (unlisted) return [unlisted, ...connectionOf(type.name.value)]
  const [, first, rest, kind] = /^(\w)(\w*)(Input|Payload)$/.exec(type.name?.value) ?? []
  if (!kind || type.description) return type
  const value = `The ${kind === 'Input' ? 'input' : 'result'} of ${first.toLowerCase()}${rest}.`
  return { ...type, description: { kind: Kind.STRING, value } }
}

/** Returns the texts of .graphql files as plain GraphQL. */
export function expandSDL(texts) {
  return texts.map((text) => {
    const document = parse(text)
    const inputs = document.definitions.filter(({ kind }) => kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
    const InputObjectTypeDefinition = (type) => withFieldsOf(type, inputs)
    const { kind, definitions } = visit(document, { FieldDefinition: expandField, InputObjectTypeDefinition })
    return `${print({ kind, definitions: definitions.flatMap(expandType) })}\n`
  })
}
