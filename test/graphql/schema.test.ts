import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  buildASTSchema,
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { operatorTypeDefs, typeDefs } from '../../src/generated/type-defs.ts'
import { makeWorld } from '../support/factories.ts'
import { repository } from '../support/process.ts'
import { wholeIntrospection } from '../support/selections.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))
const operatorSchema = buildASTSchema(parse([...typeDefs, ...operatorTypeDefs].join('\n')))

test('docs/schema.graphql is the printed schema', async () => {
  await expect(`${printSchemaWithDirectives(schema)}\n`).toMatchFileSnapshot('../../docs/schema.graphql')
})

test('docs/schema.graphql keeps every directive', () => {
  const published = buildSchema(readFileSync(join(repository, 'docs/schema.graphql'), 'utf8'))
  expect(directivesOf(published)).toEqual(directivesOf(schema))
  expect(directivesOf(published)).toContainEqual(['Thread.recipients', '@semanticNonNull'])
})

test('docs/operator-schema.graphql contains exactly the definitions that only the schema of the operator has', async () => {
  await expect(`${operatorTypeDefs.join('\n').trim()}\n`).toMatchFileSnapshot(
    '../../docs/operator-schema.graphql',
  )
})

test('introspection returns the schema of the endpoint', async () => {
  const { app } = await makeWorld(service)
  const printed = (each: GraphQLSchema) => printSchema(lexicographicSortSchema(each))
  for (const [token, expected] of [
    [app.token, schema],
    [operatorToken, operatorSchema],
  ] as const) {
    const answer = await service.graphql<IntrospectionQuery>(token, wholeIntrospection)
    expect(printed(buildClientSchema(answer.data))).toBe(printed(expected))
  }
})

test('every type, field, argument, input and enum value is described in sentences', () => {
  const described = allDescribed()
  expect(described.length).toBeGreaterThan(300)
  expect(described.filter(([, description]) => !/^[A-Z].{5,}\.$/s.test(description ?? ''))).toEqual([])
})

test('every type that is described as the input or the result of a mutation belongs to one', () => {
  const named = allDescribed().flatMap(([, text]) => text?.match(/(?<=^The (?:input|result) of )\w+/) ?? [])
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((name) => !operatorSchema.getMutationType()?.getFields()[name])).toEqual([])
})

/** Returns the directives of all fields, with the place of each. */
function directivesOf(each: GraphQLSchema): [place: string, directive: string][] {
  const types = Object.values(each.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type))
  const fields = types.flatMap((type) =>
    Object.values(type.getFields()).map(({ name, astNode }) => ({ place: `${type.name}.${name}`, astNode })),
  )
  return fields.flatMap(({ place, astNode }) =>
    (astNode?.directives ?? []).map((directive): [string, string] => [place, print(directive)]),
  )
}

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
