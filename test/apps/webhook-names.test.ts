import { expect, test } from 'vitest'
import { makeWorld, type World } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

const nameTaken = [
  {
    message: expect.stringContaining('name is already the name of a webhook'),
    extensions: { code: 'CONFLICT', reason: 'NAME_TAKEN', errors: [{ field: 'name' }] },
  },
]

const create = ({ workspaceID }: World, name: string) =>
  mutate(service, operatorToken, 'createWebhook', { workspaceID, name }, 'webhook { id }')
const change = (name: string, input: object) => mutated(service, operatorToken, name, input, 'webhook { id }')

test('a webhook cannot get the name of another one, regardless of case', async () => {
  const world = await makeWorld(service)
  expect((await create(world, 'ALERTS')).errors).toMatchObject(nameTaken)
  const { data } = await create(world, 'Deploys')
  const input = { webhookID: data.createWebhook.webhook.id, name: 'alerts' }
  const renamed = await mutate(service, operatorToken, 'updateWebhook', input, 'webhook { id }')
  expect(renamed.errors).toMatchObject(nameTaken)
  await change('updateWebhook', { ...input, name: 'DEPLOYS' })
})

test('a disabled webhook keeps its name, and can be enabled again', async () => {
  const world = await makeWorld(service)
  const webhookID = world.webhook.id
  await change('disableWebhook', { webhookID })
  expect((await create(world, 'Alerts')).errors).toMatchObject(nameTaken)
  await change('enableWebhook', { webhookID })
})

test('the name of a deleted webhook is free', async () => {
  const world = await makeWorld(service)
  await change('deleteWebhook', { webhookID: world.webhook.id })
  expect((await create(world, 'Alerts')).errors).toBeUndefined()
})

test('of many concurrent calls, one gets the name', async () => {
  const world = await makeWorld(service)
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(world, 'Race')))
  const refused = answers.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.reason))
  expect(refused).toEqual(Array(7).fill('NAME_TAKEN'))
})
