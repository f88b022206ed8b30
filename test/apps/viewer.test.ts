import { expect, test } from 'vitest'
import { installApp } from '../../src/apps/installations/install-app.ts'
import { createWorkspace } from '../../src/workspaces/create-workspace.ts'
import { makeApp, makeWorld, requestToken, say, tokenForm } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

test('viewer returns the user, the scopes and the installation of the token', async () => {
  const { app } = await makeWorld(service, ['groups:read', 'threads:read'])
  const { data } = await service.graphql(
    app.token,
    '{ viewer { user { id name } scopes installation { scopes app { id name } user { id } } } }',
  )
  expect(data.viewer).toEqual({
    user: { id: app.userID, name: 'Robot' },
    scopes: ['groups:read', 'threads:read', 'threads.messages:read'],
    installation: {
      scopes: ['groups:read', 'threads:read'],
      app: { id: app.id, name: 'Robot' },
      user: { id: app.userID },
    },
  })
})

test('viewer returns the installation in the workspace of the token', async () => {
  const { app, operator } = await makeWorld(service)
  const { id: workspaceID } = await createWorkspace(operator, { name: 'Other' })
  await installApp(operator, { workspaceID, appID: app.id, scopes: ['groups:read'] })
  const form = tokenForm({ workspaceID, clientID: app.id, clientSecret: app.clientSecret })
  const token = (await requestToken(service, form)).json().access_token
  const { data } = await service.graphql(token, '{ viewer { installation { id scopes app { id } } } }')
  expect(data.viewer.installation).toEqual({
    id: `${app.id}-${workspaceID}`,
    scopes: ['groups:read'],
    app: { id: app.id },
  })
})

test('an app can look up itself and its own installation by ID, but no other app or installation', async () => {
  const [{ app }, other] = [await makeWorld(service), await makeWorld(service)]
  const { data } = await service.graphql(app.token, '{ viewer { installation { id app { id } } } }')
  const { installation } = data.viewer
  const others = [other.app.id, `${other.app.id}-${other.workspaceID}`, `${app.id}-${other.workspaceID}`]
  const ids = [installation.id, installation.app.id, ...others]
  const nodes = await service.graphql(app.token, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })
  expect(nodes).toEqual({
    data: { nodes: [{ id: installation.id }, { id: installation.app.id }, null, null, null] },
  })
})

test('viewer is null for the operator', async () => {
  expect(await service.graphql(operatorToken, '{ viewer { user { id } } }')).toEqual({
    data: { viewer: null },
  })
})

const sum = ({ threads, directMessages }: Record<string, number>) => (threads ?? 0) + (directMessages ?? 0)

test('unread counts visible unread threads, and is null without the scope threads:read', async () => {
  const { app, as, ada, grace, publicGroup, operator, workspaceID } = await makeWorld(service)
  const count = async (token = app.token) =>
    sum((await service.graphql(token, '{ viewer { unread { threads directMessages } } }')).data.viewer.unread)
  expect(await count()).toBe(0)
  const one = await say(as(ada.id), [publicGroup.id], 'x', 'One')
  await say(as(ada.id), [app.userID], 'x')
  await say(as(ada.id), [grace.id], 'hidden')
  await say(as(app.userID), [publicGroup.id], 'own', 'Own')
  expect(await count()).toBe(2)
  await mutated(service, app.token, 'markRead', { threadID: one.thread.id }, 'thread { id }')
  expect(await count()).toBe(1)
  const other = await makeApp(service, operator, workspaceID)
  expect(await count(other.token)).toBe(2)
  const without = await makeApp(service, operator, workspaceID, ['groups:read'])
  const { data, errors } = await service.graphql(
    without.token,
    '{ viewer { user { id } unread { threads } } }',
  )
  expect(data.viewer).toEqual({ user: { id: without.userID }, unread: null })
  expect(errors).toHaveLength(1)
})

test('unread considers for an app only the 1000 threads with the latest activity', async () => {
  const { app, operator, workspaceID } = await makeWorld(service)
  await operator.db.$executeRaw`
    INSERT INTO threads (workspace_id, id, kind, subject, started_by_id, last_position, last_activity_at)
    SELECT ${workspaceID}, 'thr_' || lpad(n::text, 27, '0'), 'thread', 'S', ${app.userID}, n % 2, now() - n * interval '1 s'
    FROM generate_series(1, 1100) n`
  await operator.db.$executeRaw`
    INSERT INTO recipients (workspace_id, thread_id, user_id)
    SELECT workspace_id, id, ${app.userID} FROM threads WHERE workspace_id = ${workspaceID}`
  const { data } = await service.graphql(app.token, '{ viewer { unread { threads } } }')
  expect(data.viewer.unread.threads).toBe(500)
})
