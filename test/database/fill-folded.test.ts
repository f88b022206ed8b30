import { expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { updatePerson } from '../../src/workspaces/users/update-person.ts'
import { holdStatements } from '../support/driven-statements.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { inOpenTransaction } from '../support/open-transaction.ts'
import { startService } from '../support/service.ts'

const service = await startService()

async function found({ app }: World, search: string): Promise<string[]> {
  const query = 'query ($search: String) { users(search: $search) { nodes { name } } }'
  const { data } = await service.graphql(app.token, query, { search })
  return data.users.nodes.map(({ name }: { name: string }) => name)
}

test('the names of a large workspace are all filled before the first search', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID } = world
  const person = (name: string) => ({ workspaceID, id: newID('usr'), kind: 'person', name })
  const people = Array.from({ length: 2000 }, (_, number) => person(`Łucja ${number}`))
  await operator.db.user.createMany({ data: people })
  expect(await found(world, 'lucja 1999')).toEqual(['Łucja 1999'])
  const unfilled = operator.db
    .$queryRaw`SELECT id FROM users WHERE workspace_id = ${workspaceID} AND folded_name IS NULL`
  expect(await unfilled).toEqual([])
})

test('a name that changes before it is filled is found, and the earlier name is not', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID, grace } = world
  const { held, release } = holdStatements(operator.db, { text: 'UPDATE users t SET', value: workspaceID })
  const search = found(world, 'zoe')
  await expect.poll(() => held.length).toBe(1)
  await updatePerson(operator, { userID: grace.id, name: 'Zoë' })
  release()
  expect(await search).toEqual(['Zoë'])
  expect(await found(world, 'grace')).toEqual([])
})

test.runIf(process.env.TEST_DATABASE_URL)('a name that changes while it is filled is found', async () => {
  const world = await makeWorld(service)
  const { operator, grace } = world
  const renaming = await inOpenTransaction(operator.db, `UPDATE users SET name = 'Zoë' WHERE id = $1`, [
    grace.id,
  ])
  const search = found(world, 'zoe')
  await untilLockWaits(operator.db)
  await renaming.query('COMMIT')
  await renaming.end()
  expect(await search).toEqual(['Zoë'])
  expect(await found(world, 'grace')).toEqual([])
})
