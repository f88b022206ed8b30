import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, redirectURI, requestToken, say, tokenForm } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'

const service = await startService()

const operate = (name: string, input: object, selection: string) =>
  mutate(service, operatorToken, name, input, selection)

async function meOf(token: string): Promise<string | undefined> {
  return (await service.graphql(token, '{ me { id } }')).data?.me.id
}

async function listsOf(id: string) {
  const query = `query ($id: ID!) { workspace(id: $id) {
    apps { nodes { id name redirectURIs deletedAt } }
    installations { nodes { app { id } user { id name kind deletedAt } scopes installedAt } } } }`
  const { workspace } = (await service.graphql(operatorToken, query, { id })).data
  return { apps: workspace.apps.nodes, installations: workspace.installations.nodes }
}

/** The default scopes of an installation. */
const fewScopes = ['groups:read', 'threads.messages:write', 'threads:read', 'workspaces:read']

describe('createApp', () => {
  const selection = `app { id name redirectURIs createdAt deletedAt } clientID clientSecret
    installation { app { id } user { id name kind groups { nodes { id } } } scopes }`

  test('creates and installs an app with the default scopes and a user in the General group', async () => {
    const { workspaceID, generalGroupID } = await makeWorld(service)
    const uris = [redirectURI, 'http://localhost:8080/cb', 'http://127.0.0.1/cb', redirectURI]
    const answer = await operate('createApp', { workspaceID, name: ' Bot ', redirectURIs: uris }, selection)
    const { app, clientID, clientSecret, installation } = answer.data.createApp
    expect(app).toMatchObject({ id: clientID, name: 'Bot', deletedAt: null })
    expect(app.redirectURIs.sort()).toEqual([...new Set(uris)].sort())
    expect(clientID).toMatch(/^app_[0-9A-Za-z]{27}$/)
    expect(installation).toMatchObject({
      app: { id: clientID },
      user: { name: 'Bot', kind: 'app', groups: { nodes: [{ id: generalGroupID }] } },
    })
    expect(installation.scopes.toSorted()).toEqual(fewScopes)
    const token = await requestToken(service, tokenForm({ workspaceID, clientID, clientSecret }))
    expect(await meOf(token.json().access_token)).toBe(installation.user.id)
  })

  test('stores a description, which is null by default', async () => {
    const { workspaceID } = await makeWorld(service)
    const descriptionOf = async (more: object) => {
      const input = { workspaceID, name: 'Bot', redirectURIs: [redirectURI], ...more }
      return (await operate('createApp', input, 'app { description }')).data.createApp.app.description
    }
    expect(await descriptionOf({})).toBeNull()
    expect(await descriptionOf({ description: 'Releases\nsoftware' })).toBe('Releases\nsoftware')
  })

  test('grants the requested scopes without duplicates', async () => {
    const { workspaceID } = await makeWorld(service)
    const input = {
      workspaceID,
      name: 'Bot',
      redirectURIs: [redirectURI],
      scopes: ['groups:read', 'groups:read'],
    }
    const answer = await operate('createApp', input, selection)
    expect(answer.data.createApp.installation.scopes).toEqual(['groups:read'])
  })

  test('returns the client secret, and no list or log contains it', async () => {
    const { workspaceID } = await makeWorld(service)
    const answer = await operate(
      'createApp',
      { workspaceID, name: 'Bot', redirectURIs: [redirectURI] },
      selection,
    )
    const { clientSecret } = answer.data.createApp
    expect(clientSecret).toMatch(/^[\w-]{32,}$/)
    expect(JSON.stringify([await listsOf(workspaceID), service.log])).not.toContain(clientSecret)
  })

  test.each([
    ['a blank name', { name: ' ' }, ['name']],
    ['a description that is too long', { description: 'd'.repeat(1001) }, ['description']],
    ['no redirect URI', { redirectURIs: [] }, ['redirectURIs']],
    ['too many redirect URIs', { redirectURIs: Array(21).fill(redirectURI) }, ['redirectURIs']],
    [
      'bad redirect URIs',
      {
        redirectURIs: [
          'http://example.com/cb',
          '/cb',
          'https://example.com/cb#x',
          'javascript:alert(1)',
          redirectURI,
        ],
      },
      ['redirectURIs.0', 'redirectURIs.1', 'redirectURIs.2', 'redirectURIs.3'],
    ],
    ['unknown scopes', { scopes: ['groups:read', 'everything'] }, ['scopes.1']],
  ])('refuses %s', async (_what, more, fields) => {
    const { workspaceID } = await makeWorld(service)
    const answer = await operate(
      'createApp',
      { workspaceID, name: 'Bot', redirectURIs: [redirectURI], ...more },
      selection,
    )
    const errors = (answer.errors?.[0]?.extensions.errors ?? []) as { field: string }[]
    expect([codesOf(answer), errors.map(({ field }) => field)]).toEqual([['INVALID_INPUT'], fields])
  })

  test('returns NOT_FOUND for an unknown workspace', async () => {
    const input = { workspaceID: newID('wks'), name: 'Bot', redirectURIs: [redirectURI] }
    expect(codesOf(await operate('createApp', input, selection))).toEqual(['NOT_FOUND'])
  })
})

describe('updateApp', () => {
  test('changes the description, and null removes it', async () => {
    const { app } = await makeWorld(service)
    const change = async (input: object) => {
      const answer = await operate('updateApp', { appID: app.id, ...input }, 'app { name description }')
      return answer.data.updateApp.app
    }
    const described = { name: 'Robot', description: 'Runs jobs' }
    expect(await change({ description: 'Runs jobs' })).toEqual(described)
    expect(await change({})).toEqual(described)
    expect(await change({ description: null })).toEqual({ name: 'Robot', description: null })
    expect(codesOf(await operate('updateApp', { appID: app.id, description: 'a\0' }, 'app { id }'))).toEqual([
      'INVALID_INPUT',
    ])
  })

  test('changes only the given fields, and keeps the names of existing app users', async () => {
    const { workspaceID, app } = await makeWorld(service)
    const selection = 'app { id name redirectURIs }'
    const named = await operate('updateApp', { appID: app.id, name: 'Android' }, selection)
    expect(named.data.updateApp.app).toEqual({ id: app.id, name: 'Android', redirectURIs: [redirectURI] })
    const uri = 'https://other.example/cb'
    const moved = await operate('updateApp', { appID: app.id, redirectURIs: [uri] }, selection)
    expect(moved.data.updateApp.app).toEqual({ id: app.id, name: 'Android', redirectURIs: [uri] })
    expect((await requestToken(service, app.form)).json().error).toBe('invalid_grant')
    expect((await requestToken(service, { ...app.form, redirect_uri: uri })).statusCode).toBe(200)
    const [installation] = (await listsOf(workspaceID)).installations
    expect(installation.user.name).toBe('Robot')
  })
})

describe('rotateClientSecret', () => {
  test('returns a new secret, invalidates the old one and keeps access tokens valid', async () => {
    const { app, workspaceID } = await makeWorld(service)
    const { clientSecret } = (await operate('rotateClientSecret', { appID: app.id }, 'clientSecret')).data
      .rotateClientSecret
    expect((await requestToken(service, app.form)).json().error).toBe('invalid_client')
    expect((await requestToken(service, { ...app.form, client_secret: clientSecret })).statusCode).toBe(200)
    expect(await meOf(app.token)).toBe(app.userID)
    expect(JSON.stringify([await listsOf(workspaceID), service.log])).not.toContain(clientSecret)
  })
})

describe('installApp and uninstallApp', () => {
  const installation = 'installation { user { id deletedAt groups { nodes { id } } } scopes }'

  test('add an app to another workspace, where it gets its own user, and remove it again', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const input = { workspaceID: other.workspaceID, appID: world.app.id }
    const installed = (await operate('installApp', input, installation)).data.installApp.installation
    expect(installed.user).toMatchObject({
      deletedAt: null,
      groups: { nodes: [{ id: other.generalGroupID }] },
    })
    const lists = await listsOf(other.workspaceID)
    expect(lists.installations.map(({ app }: { app: { id: string } }) => app.id)).toEqual([
      other.app.id,
      world.app.id,
    ])
    expect(lists.apps.map(({ id }: { id: string }) => id)).toEqual([other.app.id])
    const token = (await requestToken(service, { ...world.app.form, subject: other.workspaceID })).json()
      .access_token
    expect(await meOf(token)).toBe(installed.user.id)
    expect((await operate('uninstallApp', input, 'app { id }')).data.uninstallApp.app.id).toBe(world.app.id)
    expect(await meOf(token)).toBeUndefined()
    expect(await meOf(world.app.token)).toBe(world.app.userID)
    expect((await listsOf(other.workspaceID)).installations).toHaveLength(1)
  })

  test('restore the former user of an app that is installed again, as a member of only the General group', async () => {
    const { workspaceID, generalGroupID, app, operator, privateGroup } = await makeWorld(service)
    await operator.db.groupMember.create({
      data: { workspaceID, groupID: privateGroup.id, userID: app.userID },
    })
    const input = { workspaceID, appID: app.id }
    await operate('uninstallApp', input, 'app { id }')
    expect(codesOf(await operate('uninstallApp', input, 'app { id }'))).toEqual(['NOT_FOUND'])
    const again = (await operate('installApp', input, installation)).data.installApp.installation
    expect(again.user).toEqual({
      id: app.userID,
      deletedAt: null,
      groups: { nodes: [{ id: generalGroupID }] },
    })
  })

  test('change the scopes of an existing installation immediately', async () => {
    const { workspaceID, app } = await makeWorld(service)
    const input = { workspaceID, appID: app.id, scopes: ['workspaces:read'] }
    expect((await operate('installApp', input, installation)).data.installApp.installation.scopes).toEqual([
      'workspaces:read',
    ])
    expect(codesOf(await service.graphql(app.token, '{ users { nodes { id } } }'))).toEqual([])
    expect(codesOf(await service.graphql(app.token, '{ groups { nodes { id } } }'))).toEqual([
      'INSUFFICIENT_SCOPE',
    ])
  })

  test('keep the scopes of an installation by default, and give a new one the default scopes', async () => {
    const { workspaceID, app } = await makeWorld(service, ['groups:write'])
    const input = { workspaceID, appID: app.id }
    const scopes = async () =>
      (await operate('installApp', input, installation)).data.installApp.installation.scopes.toSorted()
    expect(await scopes()).toEqual(['groups:write'])
    await operate('uninstallApp', input, 'app { id }')
    expect(await scopes()).toEqual(fewScopes)
  })

  test('return NOT_FOUND for an unknown app or workspace', async () => {
    const { workspaceID, app } = await makeWorld(service)
    for (const input of [
      { workspaceID, appID: newID('app') },
      { workspaceID: newID('wks'), appID: app.id },
    ]) {
      for (const [name, selection] of [
        ['installApp', installation],
        ['uninstallApp', 'app { id }'],
      ] as const) {
        const answer = await operate(name, input, selection)
        expect([answer.data, codesOf(answer)]).toEqual([{ [name]: null }, ['NOT_FOUND']])
      }
    }
  })
})

describe('revokeAccessTokens', () => {
  test('revokes the tokens of one app in one workspace, and returns their number', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    await requestToken(service, world.app.form)
    await operate(
      'installApp',
      { workspaceID: other.workspaceID, appID: world.app.id },
      'installation { scopes }',
    )
    const there = (await requestToken(service, { ...world.app.form, subject: other.workspaceID })).json()
      .access_token
    const input = { workspaceID: world.workspaceID, appID: world.app.id }
    expect(
      (await operate('revokeAccessTokens', input, 'revokedCount')).data.revokeAccessTokens.revokedCount,
    ).toBe(2)
    expect(
      (await operate('revokeAccessTokens', input, 'revokedCount')).data.revokeAccessTokens.revokedCount,
    ).toBe(0)
    expect(await meOf(world.app.token)).toBeUndefined()
    expect(await meOf(there)).toEqual(expect.stringMatching(/^usr_/))
    expect(await meOf(other.app.token)).toBe(other.app.userID)
  })
})

describe('deleteApp', () => {
  test('uninstalls the app from every workspace, and keeps its messages with its name', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const { app, operator, workspaceID, as } = world
    await operate('installApp', { workspaceID: other.workspaceID, appID: app.id }, 'installation { scopes }')
    const { message } = await say(as(app.userID), [workspaceID], 'x')
    const reader = (
      await operate(
        'createApp',
        { workspaceID, name: 'R', redirectURIs: [redirectURI] },
        'clientID clientSecret',
      )
    ).data.createApp
    const { access_token } = (await requestToken(service, tokenForm({ workspaceID, ...reader }))).json()
    const deleted = await operate('deleteApp', { appID: app.id }, 'app { id name deletedAt }')
    expect(deleted.data.deleteApp.app).toEqual({
      id: app.id,
      name: 'Robot',
      deletedAt: expect.stringMatching(/Z$/),
    })
    expect(await meOf(app.token)).toBeUndefined()
    for (const id of [workspaceID, other.workspaceID]) {
      const { apps, installations } = await listsOf(id)
      expect(JSON.stringify([apps, installations])).not.toContain(app.id)
    }
    const query = 'query ($id: ID!) { node(id: $id) { ... on Message { user { name deletedAt } } } }'
    const seen = await service.graphql(access_token, query, { id: message.id })
    expect(seen.data.node.user).toEqual({ name: 'Robot', deletedAt: expect.any(String) })
    expect(await operator.db.accessToken.count({ where: { appID: app.id } })).toBe(0)
  })

  test('makes every mutation return NOT_FOUND for the deleted app', async () => {
    const { app, workspaceID } = await makeWorld(service)
    await operate('deleteApp', { appID: app.id }, 'app { id }')
    const changes: [string, object, string][] = [
      ['deleteApp', {}, 'app { id }'],
      ['updateApp', { name: 'X' }, 'app { id }'],
      ['rotateClientSecret', {}, 'clientSecret'],
      ['installApp', { workspaceID }, 'installation { scopes }'],
      ['uninstallApp', { workspaceID }, 'app { id }'],
      ['revokeAccessTokens', { workspaceID }, 'revokedCount'],
    ]
    for (const [name, more, selection] of changes) {
      const answer = await operate(name, { appID: app.id, ...more }, selection)
      expect([answer.data, codesOf(answer)]).toEqual([{ [name]: null }, ['NOT_FOUND']])
    }
  })
})
