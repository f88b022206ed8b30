import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'

/** Returns a valid value of the type, with every field. `name` is the name of the argument or field. */
export function sampleOf(type: GraphQLInputType, name = ''): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, name)
  if (isListType(type)) return [sampleOf(type.ofType, name)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).slice(0, type.isOneOf ? 1 : undefined)
    return Object.fromEntries(fields.map((field) => [field.name, sampleOf(field.type, field.name)]))
  }
  return named[name] ?? (isScalarType(type) ? (scalars[type.name] ?? 'x') : 'x')
}

/** Samples of the arguments and fields that accept only some texts. */
const named: Record<string, unknown> = {
  contentLength: '3',
  contentMD5: Buffer.alloc(16).toString('base64'),
  buttonsRevision: 0,
  email: 'sample@example.com',
  emailDomain: 'example.com',
  emoji: '👍',
  signatureSecret: 'correct-horse-battery',
  expiresAt: '2100-01-31T12:00:00.000Z',
}

const scalars: Record<string, unknown> = {
  Boolean: true,
  Int: 1,
  Float: 1,
  DateTime: '2026-01-31T12:00:00.000Z',
  Scope: 'groups:read',
  URL: 'https://www.example.com/',
  Version: 1,
  ThreadClosed: 'keep',
}

/** Returns an operation with one field and its `__typename`. Required arguments have sample values. */
export function asking(
  kind: 'query' | 'mutation',
  { name, args, type }: { name: string; args: readonly GraphQLArgument[]; type: GraphQLOutputType },
): { document: string; variables: object } {
  const needed = args.filter(({ type }) => isNonNullType(type))
  const declared = needed.map((arg) => `$${arg.name}: ${arg.type}`).join(', ')
  const given = needed.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  return {
    document: `${kind} ${declared && `(${declared})`} { ${name}${given && `(${given})`} ${isLeafType(getNamedType(type)) ? '' : '{ __typename }'} }`,
    variables: Object.fromEntries(needed.map((arg) => [arg.name, sampleOf(arg.type, arg.name)])),
  }
}
