import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql'
import { z } from 'zod'
import type { Resolvers } from '../generated/resolver-types.ts'
import { findNode, findNodes } from './node.ts'

const isoDateTime = z.iso.datetime({ offset: true })

const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description:
    'A date and time in UTC, in ISO 8601 format with milliseconds: 2026-01-31T12:00:00.000Z. Inputs can have any\ntime zone, but must have one.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: (value) => (value as Date).toISOString(),
  parseValue: readDateTime,
  parseLiteral: (node) => readDateTime(node.kind === Kind.STRING ? node.value : undefined),
})

function textScalar(name: string, description: string, specifiedByURL: string) {
  const read = (value: unknown): string => {
    if (typeof value === 'string') return value
    throw new GraphQLError(`A value of type ${name} must be a string.`)
  }
  return new GraphQLScalarType<string, string>({
    name,
    description,
    specifiedByURL,
    parseValue: read,
    parseLiteral: (node) => read(node.kind === Kind.STRING ? node.value : undefined),
  })
}

// Takes the value of a literal as JSON, because the input of the verb checks it.
function literalValue(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return Number(node.value)
  return node.kind === Kind.STRING || node.kind === Kind.BOOLEAN ? node.value : undefined
}

export const rootResolvers: Resolvers = {
  DateTime: dateTime,
  URL: textScalar('URL', 'An absolute URL.', 'https://url.spec.whatwg.org/'),
  HTML: textScalar('HTML', 'HTML that is safe to embed in a page.', 'https://html.spec.whatwg.org/'),
  Version: new GraphQLScalarType<unknown, number>({
    name: 'Version',
    description:
      'An order of calls: an integer from 0 to 9007199254740991, or, as input, also a text with such an integer or an ISO 8601\ntime with a time zone. A time is stored as microseconds since 1970.',
    serialize: (value) => Number(value),
    parseValue: (value) => value,
    parseLiteral: literalValue,
  }),
  ThreadClosed: new GraphQLScalarType({
    name: 'ThreadClosed',
    description: 'Closes a thread (true), reopens it (false), or leaves it as it is (the text keep).',
    parseValue: (value) => value,
    parseLiteral: literalValue,
  }),
  Query: {
    node: (_root, { id }, ctx) => findNode(ctx, id),
    nodes: (_root, { ids }, ctx) => findNodes(ctx, ids),
  },
}

export function mergeResolvers(maps: Resolvers[]): Resolvers {
  const merged: Record<string, object> = {}
  for (const map of maps) {
    for (const [type, fields] of Object.entries(map)) merged[type] = merge(merged[type], fields)
  }
  return merged as Resolvers
}

function merge(known: object | undefined, more: object): object {
  return known ? { ...known, ...more } : more
}

function readDateTime(value: unknown): Date {
  const time = isoDateTime.safeParse(value)
  if (time.success) return new Date(time.data)
  throw new GraphQLError(
    'A DateTime must be an ISO 8601 time with a time zone, such as 2026-01-31T12:00:00Z.',
  )
}
