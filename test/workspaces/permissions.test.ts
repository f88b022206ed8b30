import { expect, test } from 'vitest'
import { updateWorkspace } from '../../src/workspaces/update-workspace.ts'
import { makeWorld } from '../support/factories.ts'
import { mutation } from '../support/mutations.ts'
import { startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()

async function permissionsOf(ask: Ask): Promise<string[]> {
  return (await ask('{ viewer { permissions } }')).data.viewer.permissions
}

test('viewer says what an admin can do', async () => {
  const world = await makeWorld(service)
  const { operator, workspaceID } = world
  const { ask } = await signedIn(service, world, 'admin')
  const fixed = ['managePeople', 'manageWorkspace', 'manageApps', 'manageWebhooks']
  expect(await permissionsOf(ask)).toEqual([...fixed, 'createApps', 'createWebhooks'])
  await updateWorkspace(operator, { workspaceID, customAppsEnabled: false })
  expect(await permissionsOf(ask)).toEqual([...fixed, 'createWebhooks'])
})

test('viewer says what a member can do with the current settings of the workspace', async () => {
  const world = await makeWorld(service)
  const { workspaceID } = world
  const [admin, member] = [await signedIn(service, world, 'admin'), await signedIn(service, world, 'member')]
  expect(await permissionsOf(member.ask)).toEqual([])
  const settings = { membersMayCreateApps: true, membersMayCreateWebhooks: true }
  const update = mutation('updateWorkspace', 'workspace { membersMayCreateApps membersMayCreateWebhooks }')
  const { data } = await admin.ask(update, { input: { workspaceID, ...settings } })
  expect(data.updateWorkspace.workspace).toEqual(settings)
  expect(await permissionsOf(member.ask)).toEqual(['createApps', 'createWebhooks'])
})

test('viewer says that an app user has no permissions', async () => {
  const { app, operator, workspaceID } = await makeWorld(service)
  await updateWorkspace(operator, { workspaceID, membersMayCreateApps: true })
  expect(await permissionsOf((query) => service.graphql(app.token, query))).toEqual([])
})
