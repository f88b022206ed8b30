import { expect, test } from 'vitest'
import { makeWorld, type World } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const emailTaken = [
  {
    message: expect.stringContaining('email is already the email address of a person in the workspace'),
    extensions: { code: 'CONFLICT', reason: 'EMAIL_TAKEN', errors: [{ field: 'email' }] },
  },
]

const create = ({ workspaceID }: World, email: string) =>
  mutate(service, operatorToken, 'createUser', { workspaceID, name: 'Person', email }, 'user { id }')

test('a person cannot get the address of another one in the workspace, regardless of case', async () => {
  const [world, other] = [await makeWorld(service), await makeWorld(service)]
  expect((await create(world, 'dup@example.com')).errors).toBeUndefined()
  expect((await create(world, 'DUP@example.com')).errors).toMatchObject(emailTaken)
  expect((await create(other, 'dup@example.com')).errors).toBeUndefined()
  const input = { userID: world.ada.id, email: 'Dup@example.com' }
  expect((await mutate(service, operatorToken, 'updateUser', input, 'user { id }')).errors).toMatchObject(
    emailTaken,
  )
})

test('the address of a deleted person is free', async () => {
  const world = await makeWorld(service)
  const { data } = await create(world, 'gone@example.com')
  const userID = data.createUser.user.id
  await mutated(service, operatorToken, 'deleteUser', { userID }, 'user { id }')
  expect((await create(world, 'gone@example.com')).errors).toBeUndefined()
})

test('of many concurrent calls, one gets the address', async () => {
  const world = await makeWorld(service)
  const { workspaceID } = world
  const invite = (email: string) =>
    mutate(service, operatorToken, 'inviteUser', { workspaceID, email }, 'user { id }')
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => create(world, 'race@example.com')),
    invite('RACE@example.com'),
  ])
  const reasons = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.reason))
  expect(new Set(reasons)).toEqual(new Set(['EMAIL_TAKEN']))
  const people = await world.operator.db.user.findMany({ where: { workspaceID, email: { not: null } } })
  expect(people).toHaveLength(1)
})

test('concurrent invitations to one address all succeed, and create one person', async () => {
  const { workspaceID } = await makeWorld(service)
  const input = { workspaceID, email: 'invited@example.com' }
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => mutated(service, operatorToken, 'inviteUser', input, 'user { id }')),
  )
  expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1)
})
