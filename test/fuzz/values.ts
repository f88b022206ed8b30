import fc from 'fast-check'
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { sampleOf } from '../support/samples.ts'

const awkward = [
  ...[
    '',
    ' ',
    '\0',
    '\uFEFF',
    '\uD800',
    '\u202Egnp.exe',
    '👩‍👩‍👧‍👦',
    'İstanbul',
    "'; DROP TABLE users; --",
    '%00',
    '../../etc/passwd',
  ],
  ...['constructor', '__proto__', '[x](javascript:alert(1))', '<script>', '{{7*7}}', '1e400', '-0', 'null'],
  ...[
    '9'.repeat(40),
    'x'.repeat(300),
    'x'.repeat(50_000),
    '2026-02-30T25:61:61Z',
    '0001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ],
]

/** Texts that programs often handle wrongly, and random ones. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ maxLength: 20 }),
)

const number = fc.oneof(
  fc.constantFrom(0, -1, 1, 0.5, 101, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308),
  fc.integer(),
)

/** Any value of JSON. */
export const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: text },
  number,
  fc.constantFrom(null, true, false, [], {}, [[[[]]]], { length: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Values of a GraphQL type, mostly valid. IDs are often those of objects that exist. */
export function inputOf(type: GraphQLInputType, ids: readonly string[], name = ''): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return inputOf(type.ofType, ids, name)
  if (isListType(type)) return fc.array(inputOf(type.ofType, ids, name), { maxLength: 3 })
  const named = getNamedType(type)
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields())
    const required = fields.filter((field) => isNonNullType(field.type)).map((field) => field.name)
    const model = Object.fromEntries(fields.map((field) => [field.name, fc.constant(field)]))
    return fc
      .record(model, { requiredKeys: required })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(
            Object.entries(chosen).map(([key, field]) => [key, inputOf(field.type, ids, key)]),
          ),
        ),
      )
  }
  const valid = fc.constant(sampleOf(type, name))
  if (named.name === 'ID') return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids) }, text)
  if (isEnumType(named)) return fc.constantFrom(...named.getValues().map((each) => each.name), 'nonsense')
  return fc.oneof({ weight: 2, arbitrary: valid }, named.name === 'String' ? text : value)
}
