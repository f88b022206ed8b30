import { describe, expect, test } from 'vitest'
import { installApp } from '../../src/apps/installations/install-app.ts'
import type { Scope } from '../../src/scopes.ts'
import { makeWorld, requestToken, type World } from '../support/factories.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

async function tokenOf({ app }: World, scope: string): Promise<{ token: string; scope: string }> {
  const answer = await requestToken(service, { ...app.form, scope })
  expect(answer.statusCode).toBe(200)
  const { access_token: token, scope: granted } = answer.json()
  return { token, scope: granted }
}

/** Returns the scopes that the token lacks for these queries. */
async function missing(token: string): Promise<(string | undefined)[]> {
  const query =
    '{ users { nodes { id } } groups { nodes { id } } searchMessages(query: "x") { nodes { id } } }'
  const { errors = [] } = await service.graphql(token, query)
  return errors.map(({ extensions }) => extensions.requiredScope).sort()
}

describe('the scope of a token request', () => {
  test.each([
    ['groups:read', 'groups:read'],
    ['groups:read workspaces:read', 'groups:read workspaces:read'],
    ['groups:read,workspaces:read,groups:read', 'groups:read workspaces:read'],
    [' groups:read, ', 'groups:read'],
  ])('%s narrows the token', async (scope, granted) => {
    const issued = await tokenOf(await makeWorld(service), scope)
    expect(issued.scope).toBe(granted)
    const wanted = ['groups:read', 'threads.messages:read', 'workspaces:read']
    expect(await missing(issued.token)).toEqual(wanted.filter((name) => !granted.includes(name)))
  })

  test('can be a scope that another scope of the installation includes', async () => {
    const { token, scope } = await tokenOf(
      await makeWorld(service, ['threads:read']),
      'threads.messages:read',
    )
    expect(scope).toBe('threads.messages:read')
    expect(await missing(token)).toEqual(['groups:read', 'workspaces:read'])
    const { errors } = await service.graphql(token, '{ threads { nodes { id } } }')
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      requiredScope: 'threads:read',
      grantedScopes: ['threads.messages:read'],
    })
  })

  test.each([
    ['that the installation does not have', 'groups:read threads:read'],
    ['that includes more than the installation has', 'threads:read'],
    ['that is unknown', 'groups:read admin'],
    ['that names no scope', ' ,'],
    ['in upper case', 'Groups:read'],
    ['that is a property of every JavaScript object', 'constructor'],
  ])('%s is invalid_scope', async (_what, scope) => {
    const { app, operator } = await makeWorld(service, ['groups:read', 'threads.messages:read'])
    const before = await operator.db.accessToken.count({ where: { appID: app.id } })
    const answer = await requestToken(service, { ...app.form, scope })
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_scope'])
    expect(await operator.db.accessToken.count({ where: { appID: app.id } })).toBe(before)
  })

  test('does not matter for a workspace without the app: the error is invalid_grant', async () => {
    const [{ app }, other] = [await makeWorld(service), await makeWorld(service)]
    const form = { ...app.form, subject: other.workspaceID, scope: 'groups:read' }
    expect((await requestToken(service, form)).json().error).toBe('invalid_grant')
  })

  test('applies separately to each of 99 concurrent requests', async () => {
    const world = await makeWorld(service)
    const asked: Scope[] = ['groups:read', 'workspaces:read', 'threads:read']
    const issued = await Promise.all(
      Array.from({ length: 99 }, (_, index) => tokenOf(world, asked[index % 3] ?? '')),
    )
    expect(issued.map(({ scope }) => scope)).toEqual(issued.map((_, index) => asked[index % 3]))
  })
})

describe('a change of the installation', () => {
  test('removes scopes from its tokens immediately, and never adds scopes', async () => {
    const world = await makeWorld(service, ['groups:read', 'workspaces:read'])
    const { app, operator, workspaceID } = world
    const narrow = await tokenOf(world, 'groups:read')
    const change = (scopes: Scope[]) => installApp(operator, { workspaceID, appID: app.id, scopes })
    await change(['workspaces:read', 'threads:read'])
    expect(await missing(narrow.token)).toEqual(['groups:read', 'threads.messages:read', 'workspaces:read'])
    expect(await missing(app.token)).toEqual(['groups:read', 'threads.messages:read'])
    await change(['groups:read'])
    expect(await missing(narrow.token)).toEqual(['threads.messages:read', 'workspaces:read'])
    await change(['threads:read'])
    const wide = await tokenOf(world, 'threads:read')
    await change(['threads.messages:read'])
    expect(await missing(wide.token)).toEqual(['groups:read', 'workspaces:read'])
    expect((await service.graphql(wide.token, '{ viewer { scopes } }')).data.viewer).toEqual({
      scopes: ['threads.messages:read'],
    })
    expect(await missing(operatorToken)).toEqual([undefined, undefined, undefined])
  })
})
