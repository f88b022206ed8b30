import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { newID, type Prefix } from '../../src/platform/ids.ts'
import { sampleOf } from './samples.ts'
import { objectType, schema } from './selections.ts'

/** A field of Query, Mutation or Subscription. */
export type Operation = { kind: 'query' | 'mutation' | 'subscription' } & GraphQLField<unknown, unknown>

/** An operation, and the path of an ID that it takes, for example `['input', 'thread', 'recipients']`. */
export type Place = { operation: Operation; path: string[]; noun: Noun }

/** The kinds of objects that operations take by their IDs, with the prefixes of these IDs. */
export const prefixes = {
  app: 'app',
  delivery: 'dlv',
  endpoint: 'end',
  file: 'fil',
  grant: 'grt',
  group: 'grp',
  message: 'msg',
  personalAccessToken: 'pat',
  session: 'ses',
  thread: 'thr',
  uploadTicket: 'upl',
  user: 'usr',
  webhook: 'wbh',
  webhookCall: 'whc',
  workspace: 'wks',
} satisfies Record<string, Prefix>
export type Noun = keyof typeof prefixes
export const nouns = Object.keys(prefixes) as Noun[]

/** The nouns of the arguments and fields whose name is neither `<noun>ID` nor ends with `<Noun>ID`. */
const otherNames: Record<string, Noun> = {
  allowedTargets: 'group',
  attachments: 'file',
  around: 'message',
  authorID: 'user',
  defaultTarget: 'group',
  pinnedIDs: 'group',
  recipientIDs: 'group',
  recipients: 'group',
  startedByID: 'user',
  userIDs: 'user',
  'eventEndpoint.id': 'endpoint',
  'group.id': 'group',
  'thread.id': 'thread',
  'user.id': 'user',
  'workspace.id': 'workspace',
}

/** Operations that need exactly one of several fields. A field of another object is sent once with each of them. */
const alternatives: Record<string, string[]> = {
  createEventEndpoint: ['appID', 'webhookID'],
  sendMessage: ['threadID', 'thread'],
  thread: ['id', 'groupID'],
}

/** Fields that are sent together with one of several fields. */
const companions: Record<string, string> = { 'thread.groupID': 'threadBy' }

/** Fields that are not sent, because only the operator can change them. */
const operatorsFields = ['updateWorkspace.emailDomain', 'updateUser.email']

export const operations: Operation[] = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
  Object.values(objectType(`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`).getFields()).map((field) => ({
    ...field,
    kind,
  })),
)

/** Every place that takes an ID. `node` and `nodes` take the ID of any object, and have one place for each noun. */
export const places: Place[] = operations.flatMap((operation) =>
  idPathsIn(operation.args).flatMap((path) =>
    nounsOf(operation, path).map((noun) => ({ operation, path, noun })),
  ),
)

/** The fields below Query, Mutation and Subscription that take an ID, for example `Workspace.group`. */
export const innerPlaces: string[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !/^(__|Query$|Mutation$|Subscription$)/.test(name))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ args }) => idPathsIn(args).length > 0)
      .map((field) => `${type.name}.${field.name}`),
  )

export function titleOf({ operation, path, noun }: Place): string {
  return [operation.name, ...path].join('.') + (operation.name.startsWith('node') ? ` (${noun})` : '')
}

export function unknownID(noun: Noun): string {
  return newID(prefixes[noun])
}

function idPathsIn(fields: readonly Field[]): string[][] {
  return fields.flatMap(({ name, type }) => {
    const named = getNamedType(type)
    if (named.name === 'ID') return [[name]]
    if (!isInputObjectType(named)) return []
    return idPathsIn(fieldsIn(named)).map((path) => [name, ...path])
  })
}

function nounsOf(operation: Operation, path: string[]): Noun[] {
  if (operation.name === 'node' || operation.name === 'nodes') return nouns
  const name = path.at(-1) ?? ''
  const other = otherNames[name] ?? otherNames[`${operation.name}.${name}`]
  const noun = other ?? nouns.find((each) => name.toLowerCase().endsWith(`${each.toLowerCase()}id`))
  if (noun) return [noun]
  throw new Error(
    `No test knows which objects the ID ${operation.name}.${path.join('.')} refers to. Add it to otherNames in test/support/operations.ts.`,
  )
}

/**
 * Returns the arguments of the calls that give `id` at the place. Other IDs are given only if they are required, and come
 * from `idOf`. There are several calls if the operation needs one of several fields.
 */
export function argumentsAt(
  { operation, path }: Pick<Place, 'operation' | 'path'>,
  id: string,
  idOf: (noun: Noun) => string,
): Record<string, unknown>[] {
  const choices = alternatives[operation.name] ?? []
  const chosen = choices.find((choice) => path.includes(choice))
  const wanted = chosen === undefined && choices.length > 0 ? choices : [chosen]
  return wanted.map((choice) => fill(operation.args, [], { operation, path, id, idOf, choices, choice }))
}

type Filling = {
  operation: Operation
  path: string[]
  id: string
  idOf: (noun: Noun) => string
  choices: string[]
  choice: string | undefined
}

type Field = GraphQLArgument | GraphQLInputField

function fill(fields: readonly Field[], above: string[], filling: Filling): Record<string, unknown> {
  const sent = fields.filter((field) => isSent(field, [...above, field.name], filling))
  return Object.fromEntries(sent.map(({ name, type }) => [name, sentValue(type, [...above, name], filling)]))
}

function isSent({ name, type }: Field, at: string[], { operation, path, choices, choice }: Filling): boolean {
  if (isNonNullType(type) || at.every((part, index) => part === path[index])) return true
  if (choices.includes(name)) return name === choice
  if (companions[`${operation.name}.${choice}`] === name) return true
  const named = getNamedType(type)
  const takesIDs = named.name === 'ID' || (isInputObjectType(named) && idPathsIn(fieldsIn(named)).length > 0)
  return operation.kind === 'mutation' && !takesIDs && !operatorsFields.includes(`${operation.name}.${name}`)
}

function sentValue(type: GraphQLInputType, at: string[], filling: Filling): unknown {
  const named = getNamedType(type)
  if (named.name === 'ID') {
    const { operation, path, id, idOf } = filling
    const [noun = 'user'] = nounsOf(operation, at)
    const value = at.join() === path.join() ? id : idOf(noun)
    return isListType(getNullableType(type)) ? [value] : value
  }
  if (isInputObjectType(named)) return fill(fieldsIn(named), at, filling)
  return sampleOf(type, at.at(-1))
}

function fieldsIn(type: GraphQLInputObjectType): GraphQLInputField[] {
  return Object.values(type.getFields())
}

/** Returns the document of an operation with these arguments. The selection can use the variable `$groupID`. */
export function documentOf(
  { kind, name, args, type }: Operation,
  values: Record<string, unknown>,
  selection: string,
): string {
  const given = args.filter((arg) => arg.name in values)
  const declared = given.map((arg) => `$${arg.name}: ${arg.type}`)
  if (selection.includes('$groupID')) declared.push('$groupID: ID!')
  const passed = given.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  const heading = declared.length > 0 ? `${kind} (${declared.join(', ')})` : kind
  const selected = isLeafType(getNamedType(type)) ? '' : `{ ${selection} }`
  return `${heading} { ${name}${passed && `(${passed})`} ${selected} }`
}
