import {
  buildASTSchema,
  buildClientSchema,
  type GraphQLSchema,
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
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { makeWorld } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))
const operatorSchema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))

test('docs/schema.graphql is the printed schema', async () => {
  await expect(`${printSchema(schema)}\n`).toMatchFileSnapshot('../../docs/schema.graphql')
})

test('docs/operator-schema.graphql contains exactly the definitions that only the schema of the operator has', async () => {
  await expect(`${operatorTypeDefs.join('\n').trim()}\n`).toMatchFileSnapshot(
    '../../docs/operator-schema.graphql',
  )
})

test('introspection returns the schema of the endpoint', async () => {
  const { app } = await makeWorld(service)
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  })
  const printed = (each: GraphQLSchema) => printSchema(lexicographicSortSchema(each))
  for (const [token, expected] of [
    [app.token, schema],
    [operatorToken, operatorSchema],
  ] as const) {
    const answer = await service.graphql<IntrospectionQuery>(token, query)
    expect(printed(buildClientSchema(answer.data))).toBe(printed(expected))
  }
})

test('every type, field, argument, input and enum value is described in sentences', () => {
  const described = allDescribed()
  expect(described.length).toBeGreaterThan(300)
  expect(described.filter(([, description]) => !/^[A-Z].{5,}\.$/s.test(description ?? ''))).toEqual([])
})

type Described = [place: string, description: string | null | undefined]

function allDescribed(): Described[] {
  const types = Object.values(operatorSchema.getTypeMap()).filter(
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
