import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildASTSchema, type GraphQLField, isInterfaceType, isObjectType, parse } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { typeDefs } from '../../src/generated/type-defs.ts'
import { type Scope, scopes } from '../../src/scopes.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { asking } from '../support/samples.ts'
import { type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'

/** A field, with the scopes and the callers that the table in docs/tokens.md names for it. */
type Need = {
  field: string
  scopes: string[]
  app: boolean
  admin: boolean
  person: boolean
  /** Whether people can call the field, and app users cannot. */
  people: boolean
  /** The setting that also lets members call the field. */
  setting?: string | undefined
  /** Whether people can call the field to change their own name or picture. */
  ownName?: boolean | undefined
  operator: boolean
}

const service = await startService()
const schema = buildASTSchema(parse(typeDefs.join('\n')))
const queries = fieldsOf('Query')
const mutations = fieldsOf('Mutation')
const needs = readNeeds()

let world: World
beforeAll(async () => {
  world = await makeWorld(service, [])
})

describe('the table of scopes and callers', () => {
  test('has each query and mutation of the schema once, and no unknown query or mutation', () => {
    const listed = needs.map(({ field }) => field).filter((field) => !field.includes('.'))
    expect(listed.sort()).toEqual([...queries, ...mutations].map(({ name }) => name).sort())
  })

  test('has no field that is not in the schema, and no unknown scope', () => {
    const inner = needs.filter(({ field }) => field.includes('.'))
    const unknown = inner.filter(({ field }) => {
      const [type = '', name] = field.split('.')
      return !fieldsOf(type).some((each) => each.name === name)
    })
    expect(inner.length).toBeGreaterThan(5)
    expect(unknown).toEqual([])
    const named = needs.flatMap((need) => need.scopes)
    expect(named.filter((scope) => !(scopes as readonly string[]).includes(scope))).toEqual([])
  })
})

describe.each([
  ...queries.map((field) => ['query', field.name, field] as const),
  ...mutations.map((field) => ['mutation', field.name, field] as const),
])('the %s %s', (kind, name, field) => {
  const need: Omit<Need, 'field'> = needs.find((each) => each.field === name) ?? {
    scopes: [],
    app: false,
    admin: false,
    person: false,
    people: false,
    operator: false,
  }
  const { document, variables } = asking(kind, field)
  const ask = (token: string) => service.graphql(token, document, variables)

  test('is allowed for apps and the operator as the table says, and refused for an unknown token', async () => {
    const app = await ask(await tokenWith(need.scopes as Scope[]))
    expect(isForbidden(app), JSON.stringify(app)).toBe(!need.app)
    // Operations that only the operator can run are not sent here, because most would succeed. Other tests send them.
    if (need.app) expect(isForbidden(await ask(operatorToken))).toBe(!need.operator)
    expect((await ask('none')).errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  })

  test.runIf((need.app || need.admin || need.people) && need.scopes.length > 0)(
    'needs each of its scopes',
    async () => {
      for (const scope of need.scopes) {
        // The scope `a:read` includes the scope `a.b:read`.
        const wider = scope.replace(/\.[^:]+/, '')
        const answer = await ask(
          await tokenWith(scopes.filter((other) => other !== scope && other !== wider)),
        )
        expect(answer.errors).toMatchObject([
          { path: [name], extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: scope } },
        ])
      }
    },
  )

  test('names its callers and scopes at the end of its description', async () => {
    if (name.startsWith('node')) return
    const { errors } = await ask(await tokenWith([]))
    const [refusal] = (errors ?? []).filter(({ extensions }) => codes.includes(extensions.code))
    const scope = refusal?.extensions.requiredScope
    const isForOperator = need.app && !isForbidden(await ask(operatorToken))
    const required = need.person
      ? 'Requires a session of a person.'
      : requirement({ ...need, scope, isForOperator })
    expect(field.description?.replace(/\s+/g, ' ').endsWith(` ${required}`), required).toBe(true)
  })
})

function requirement(of: {
  scope: string | undefined
  app: boolean
  admin: boolean
  people: boolean
  setting?: string | undefined
  ownName?: boolean | undefined
  isForOperator: boolean
}): string {
  const members = of.setting === undefined ? '' : `, and for members if ${of.setting} is true`
  const people = of.ownName ? ', and for people who change their own name or picture' : ''
  if (of.admin)
    return `Only for admins of the workspace${members}${people}. Requires the scope ${of.scope}, or the operator token.`
  if (of.people) return `Only for people. Requires the scope ${of.scope}.`
  if (!of.app) return 'Requires the operator token.'
  const others = of.isForOperator ? ', or the operator token' : ''
  if (of.scope !== undefined) return `Requires the scope ${of.scope}${others}.`
  return of.isForOperator ? 'Requires no scope.' : 'Not available with the operator token.'
}

const codes = ['FORBIDDEN', 'INSUFFICIENT_SCOPE']
const tokens = new Map<string, Promise<string>>()

/** Returns the token of an app that has these scopes. */
function tokenWith(held: Scope[]): Promise<string> {
  const key = held.join(' ')
  const made =
    tokens.get(key) ?? makeApp(service, world.operator, world.workspaceID, held).then((app) => app.token)
  tokens.set(key, made)
  return made
}

function isForbidden({ errors = [] }: GraphQLAnswer): boolean {
  return errors.some(({ extensions }) => codes.includes(extensions.code))
}

function fieldsOf(typeName: string): GraphQLField<unknown, unknown>[] {
  const type = schema.getType(typeName)
  return isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
}

/** Reads the rows of the table. Code in the first column is a field. Code in the second column is a scope. */
function readNeeds(): Need[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/tokens.md'), 'utf8')
  const [, table = ''] = /^\| Query, mutation or field .*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(text) ?? []
  return table
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, fields = '', needed = '', who = ''] = line.split('|')
      const rest = {
        scopes: codesIn(needed),
        app: /\bapp\b/.test(who),
        admin: /^ admins of the workspace\b/.test(who),
        person: /^ people with a session\b/.test(who),
        people: /^ people $/.test(who),
        setting: /\bmembers, if `(\w+)`/.exec(who)?.[1],
        ownName: /\bpeople, to change their own name or picture\b/.test(who),
        operator: /\boperator\b/.test(who),
      }
      return codesIn(fields.replace(/by `node`/, '')).map((field) => ({ field, ...rest }))
    })
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}
