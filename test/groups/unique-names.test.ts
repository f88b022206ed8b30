import { expect, test } from 'vitest'
import { makeWorld, type World } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const nameTaken = [
  {
    message: expect.stringContaining('name is already the name of a public group'),
    extensions: { code: 'CONFLICT', reason: 'NAME_TAKEN', errors: [{ field: 'name' }] },
  },
]

const create = ({ workspaceID }: World, input: object) =>
  mutate(service, operatorToken, 'createGroup', { workspaceID, ...input }, 'group { id }')
const created = async ({ workspaceID }: World, input: object): Promise<string> =>
  (await mutated(service, operatorToken, 'createGroup', { workspaceID, ...input }, 'group { id }')).group.id
const update = (input: object) =>
  mutate(service, operatorToken, 'updateGroup', input, 'group { name isPrivate }')

test('a public group cannot get the name of another one, regardless of case', async () => {
  const world = await makeWorld(service)
  for (const name of ['BUILDS', ' builds ', 'general'])
    expect((await create(world, { name })).errors).toMatchObject(nameTaken)
  const groupID = await created(world, { name: 'ÜBER' })
  expect((await create(world, { name: 'über' })).errors).toMatchObject(nameTaken)
  expect((await update({ groupID, name: 'builds' })).errors).toMatchObject(nameTaken)
  expect((await update({ groupID, name: 'über' })).data.updateGroup.group.name).toBe('über')
})

test('a name has one encoding, so that names that look the same are equal', async () => {
  const world = await makeWorld(service)
  const [composed, decomposed] = ['Caf\u00e9', 'Cafe\u0301']
  const groupID = await created(world, { name: decomposed })
  expect((await update({ groupID, isPrivate: false })).data.updateGroup.group.name).toBe(composed)
  expect((await create(world, { name: composed })).errors).toMatchObject(nameTaken)
})

test('groups of different workspaces can have one name', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  for (const each of [world, other]) await created(each, { name: 'Ops' })
})

test('private groups can have any name, until they become public', async () => {
  const world = await makeWorld(service)
  const groupID = await created(world, { name: 'Builds', isPrivate: true })
  await created(world, { name: 'builds', isPrivate: true })
  expect((await update({ groupID, isPrivate: false })).errors).toMatchObject(nameTaken)
  const renamed = await update({ groupID, isPrivate: false, name: 'Deploys' })
  expect(renamed.data.updateGroup.group).toEqual({ name: 'Deploys', isPrivate: false })
})

test('the name of a public group becomes free when it becomes private', async () => {
  const world = await makeWorld(service)
  await update({ groupID: world.publicGroup.id, isPrivate: true })
  await created(world, { name: 'Builds' })
})

test('of many concurrent calls that create a group or make it public, one gets the name', async () => {
  const world = await makeWorld(service)
  const hidden = await Promise.all(
    Array.from({ length: 5 }, () => created(world, { name: 'Race', isPrivate: true })),
  )
  const answers = await Promise.all([
    ...hidden.map((groupID) => update({ groupID, isPrivate: false })),
    ...Array.from({ length: 5 }, () => create(world, { name: 'rACE' })),
  ])
  const refused = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.reason))
  expect(refused).toEqual(Array(9).fill('NAME_TAKEN'))
})
