import { beforeAll, describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld } from '../support/factories.ts'
import {
  argumentsAt,
  documentOf,
  innerPlaces,
  type Place,
  places,
  titleOf,
  unknownID,
} from '../support/operations.ts'
import { type GraphQLAnswer, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

/** Each place except those that return null for every ID that they do not find. Another test subscribes. */
const asked = places.filter(
  ({ operation: { kind, name } }) => kind !== 'subscription' && name !== 'node' && name !== 'nodes',
)

const service = await startService()
const operator: Ask = (query, variables) => service.graphql(operatorToken, query, variables)
let member: Ask
let workspaceID: string
beforeAll(async () => {
  const world = await makeWorld(service)
  workspaceID = world.workspaceID
  member = (await signedIn(service, world, 'member')).ask
})

/** Sends the calls that give `id` at a place. Their other IDs do not exist. */
function askAt(ask: Ask, place: Place, id: string): Promise<GraphQLAnswer[]> {
  const calls = argumentsAt(place, id, unknownID)
  return Promise.all(calls.map((values) => ask(documentOf(place.operation, values, '__typename'), values)))
}

/** Returns the code of each error, with the fields that it names. */
function refusalOf({ errors = [] }: GraphQLAnswer): string {
  const parts = errors.map(({ extensions: { code, errors: fields = [] } }) =>
    [code, ...fields.map((each) => Reflect.get(each, 'field'))].join(' '),
  )
  return parts.join(', ')
}

describe.each(asked.map((place) => [titleOf(place), place] as const))('an ID at %s', (_title, place) => {
  const [argument = '', ...fields] = place.path
  const path = argument === 'input' ? fields : place.path
  const field = new RegExp(`^${path.join('\\.')}(\\.0)?$`)

  test('is refused by its shape, before the roles of the caller are checked', async () => {
    // The operator cannot call some operations with any ID.
    const unknown = await askAt(operator, place, unknownID(place.noun))
    const isForOperator = unknown.some((answer) => refusalOf(answer) !== 'FORBIDDEN')
    for (const id of ['', 'x'.repeat(256), 'usr_\0']) {
      const answers = await askAt(member, place, id)
      if (isForOperator) answers.push(...(await askAt(operator, place, id)))
      for (const answer of answers) {
        const [code = '', ...named] = refusalOf(answer).split(' ')
        expect({ id, code, named }).toEqual({
          id,
          code: 'INVALID_INPUT',
          named: [expect.stringMatching(field)],
        })
      }
    }
  })

  test('is answered like an ID that does not exist if it is another text or the ID of another type', async () => {
    const plain = async (ask: Ask, id: string) =>
      (await askAt(ask, place, id)).map(({ data, errors = [] }) => ({
        data,
        errors: errors.map(({ message, extensions: { code } }) => [code, message.replaceAll(id, '<id>')]),
      }))
    for (const ask of [member, operator]) {
      const expected = await plain(ask, unknownID(place.noun))
      expect(await plain(ask, 'nonsense')).toEqual(expected)
      expect(await plain(ask, newID('evt'))).toEqual(expected)
    }
  })
})

test('an empty ID below the operations is refused by its shape', async () => {
  type Inner = { query: string; variables: object; field: string; unknown?: string }
  const queries: Record<string, Inner> = {
    'Thread.messages': {
      query: `query ($own: ID!, $id: ID!) { group(id: $own) { chat { messages(first: 1, around: $id) { nodes { id } } } } }`,
      variables: { own: workspaceID },
      field: 'around',
    },
    'Workspace.auditEntries': {
      query:
        'query ($own: ID!, $id: ID!) { workspace(id: $own) { auditEntries(filter: { objectID: $id }) { nodes { id } } } }',
      variables: { own: workspaceID },
      field: 'objectID',
      unknown: '',
    },
    'Workspace.group': {
      query: 'query ($own: ID!, $id: ID!) { workspace(id: $own) { group(id: $id) { id } } }',
      variables: { own: workspaceID },
      field: 'id',
    },
  }
  expect(Object.keys(queries).sort()).toEqual(innerPlaces.sort())
  for (const { query, variables, field, unknown = 'NOT_FOUND' } of Object.values(queries)) {
    expect(refusalOf(await member(query, { ...variables, id: '' }))).toBe(`INVALID_INPUT ${field}`)
    expect(refusalOf(await member(query, { ...variables, id: 'nonsense' }))).toBe(unknown)
  }
})
