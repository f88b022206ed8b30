import {
  buildASTSchema,
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { typeDefs } from '../../src/generated/type-defs.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))

test('docs/schema.graphql is the printed schema', async () => {
  await expect(`${printSchema(schema)}\n`).toMatchFileSnapshot('../../docs/schema.graphql')
})

test('introspection returns the same schema', async () => {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  })
  const answer = await service.graphql<IntrospectionQuery>(operatorToken, query)
  const served = buildClientSchema(answer.data)
  expect(printSchema(lexicographicSortSchema(served))).toBe(printSchema(lexicographicSortSchema(schema)))
})

test('every type, field, argument, input and enum value is described in sentences', () => {
  const described = allDescribed()
  expect(described.length).toBeGreaterThan(300)
  expect(described.filter(([, description]) => !/^[A-Z].{5,}\.$/s.test(description ?? ''))).toEqual([])
})

type Described = [place: string, description: string | null | undefined]

function allDescribed(): Described[] {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  )
  return types.flatMap((type): Described[] => {
    const own: Described = [type.name, type.description]
    if (isEnumType(type)) return [own, ...partsOf(type.name, type.getValues())]
    if (isInputObjectType(type)) return [own, ...partsOf(type.name, Object.values(type.getFields()))]
    if (!isObjectType(type) && !isInterfaceType(type)) return [own]
    const fields = Object.values(type.getFields())
    const args = fields.flatMap((field) => partsOf(`${type.name}.${field.name}`, field.args))
    return [own, ...partsOf(type.name, fields), ...args]
  })
}

function partsOf(
  owner: string,
  parts: readonly { name: string; description?: string | null | undefined }[],
): Described[] {
  return parts.map((part) => [`${owner}.${part.name}`, part.description])
}
