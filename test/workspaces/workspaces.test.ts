import { describe, expect, test } from 'vitest'
import { newID } from '../../src/platform/ids.ts'
import { makeWorld, redirectURI } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'

const service = await startService()

const operate = (name: string, input: object, selection: string) =>
  mutate(service, operatorToken, name, input, selection)

describe('workspace and workspaces', () => {
  const query = 'query ($id: ID!) { workspace(id: $id) { id name emailDomain avatarURL customAppsEnabled } }'

  test('return to an app only its own workspace, and to the operator all workspaces', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const own = await service.graphql(world.app.token, '{ workspaces { nodes { id name } } }')
    expect(own.data.workspaces.nodes).toEqual([{ id: world.workspaceID, name: 'Workshop' }])
    const all = await service.graphql(operatorToken, '{ workspaces(last: 100) { nodes { id } } }')
    expect(all.data.workspaces.nodes).toEqual(
      expect.arrayContaining([{ id: world.workspaceID }, { id: other.workspaceID }]),
    )
    for (const token of [world.app.token, operatorToken]) {
      const answer = await service.graphql(token, query, { id: world.workspaceID })
      expect(answer.data.workspace).toEqual({
        id: world.workspaceID,
        name: 'Workshop',
        emailDomain: null,
        avatarURL: null,
        customAppsEnabled: true,
      })
    }
  })

  test('return pages to the operator', async () => {
    for (let count = 0; count < 3; count++) await makeWorld(service)
    const page = (args: string) =>
      `{ workspaces(${args}) { nodes { id } pageInfo { endCursor startCursor } } }`
    const three = (await service.graphql(operatorToken, page('last: 3'))).data.workspaces
    const after = `first: 5, after: "${three.pageInfo.startCursor}"`
    expect((await service.graphql(operatorToken, page(after))).data.workspaces.nodes).toEqual(
      three.nodes.slice(1),
    )
    const before = `last: 1, before: "${three.pageInfo.endCursor}"`
    expect((await service.graphql(operatorToken, page(before))).data.workspaces.nodes).toEqual([
      three.nodes[1],
    ])
  })

  test('do not show other workspaces to an app, by ID or by paging', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    for (const id of [other.workspaceID, newID('wks'), world.publicGroup.id, 'x']) {
      const answer = await service.graphql(world.app.token, query, { id })
      expect([answer.data, codesOf(answer)]).toEqual([{ workspace: null }, ['NOT_FOUND']])
    }
    const list = '{ workspaces(last: 100) { edges { cursor node { id } } } }'
    const edges: { cursor: string; node: { id: string } }[] = (await service.graphql(operatorToken, list))
      .data.workspaces.edges
    const cursor = edges.find(({ node }) => node.id === other.workspaceID)?.cursor
    const page = async (side: string) =>
      (await service.graphql(world.app.token, `{ workspaces(${side}: "${cursor}") { nodes { id } } }`)).data
        .workspaces.nodes
    expect([...(await page('before')), ...(await page('after'))]).toEqual([{ id: world.workspaceID }])
  })

  test('need a token', async () => {
    const { workspaceID: id } = await makeWorld(service)
    expect(codesOf(await service.graphql('none', query, { id }))).toEqual(['UNAUTHENTICATED'])
    expect(codesOf(await service.graphql('none', '{ workspaces { nodes { id } } }'))).toEqual([
      'UNAUTHENTICATED',
    ])
  })
})

describe('the General group', () => {
  test('has its own ID and contains every user', async () => {
    const { workspaceID, generalGroupID, app, ada, grace, webhook } = await makeWorld(service)
    const query = `query ($id: ID!) { node(id: $id) { __typename id ... on Workspace {
      name generalGroup { id name isGeneral members { nodes { id } } } } } }`
    const { data } = await service.graphql(app.token, query, { id: workspaceID })
    expect(data.node).toMatchObject({ __typename: 'Workspace', id: workspaceID, name: 'Workshop' })
    const { members, ...general } = data.node.generalGroup
    expect(general).toEqual({ id: generalGroupID, name: 'General', isGeneral: true })
    const ids = members.nodes.map(({ id }: { id: string }) => id).sort()
    expect(ids).toEqual([ada.id, grace.id, app.userID, webhook.userID].sort())
  })
})

describe('createWorkspace and updateWorkspace', () => {
  const fields =
    'workspace { id name emailDomain avatarURL customAppsEnabled generalGroup { id members { nodes { id } } } }'

  test('create a workspace with an empty General group, and change the given fields', async () => {
    const input = { name: 'Lab', emailDomain: 'lab.example', avatarURL: 'https://lab.example/a.png' }
    const { workspace } = (await operate('createWorkspace', input, fields)).data.createWorkspace
    expect(workspace).toEqual({
      ...input,
      id: expect.stringMatching(/^wks_[0-9A-Za-z]{27}$/),
      customAppsEnabled: true,
      generalGroup: { id: `grp_${workspace.id.slice(4)}`, members: { nodes: [] } },
    })
    const change = async (more: object) => {
      const answer = await operate('updateWorkspace', { workspaceID: workspace.id, ...more }, fields)
      return answer.data.updateWorkspace.workspace
    }
    expect(await change({ name: 'Labs' })).toEqual({ ...workspace, name: 'Labs' })
    expect(
      await change({ emailDomain: null, avatarURL: null, name: null, customAppsEnabled: false }),
    ).toEqual({
      ...workspace,
      name: 'Labs',
      emailDomain: null,
      avatarURL: null,
      customAppsEnabled: false,
    })
  })

  test('name every invalid field, and return NOT_FOUND for an unknown workspace', async () => {
    const { workspaceID } = await makeWorld(service)
    const bad = { name: '', emailDomain: 'nowhere', avatarURL: 'javascript:alert(1)' }
    for (const [name, input] of [
      ['createWorkspace', bad],
      ['updateWorkspace', { workspaceID, ...bad }],
    ] as const) {
      expect((await operate(name, input, fields)).errors).toMatchObject([
        {
          path: [name],
          extensions: {
            code: 'INVALID_INPUT',
            errors: [{ field: 'name' }, { field: 'emailDomain' }, { field: 'avatarURL' }],
          },
        },
      ])
    }
    expect(
      codesOf(await operate('updateWorkspace', { workspaceID: newID('wks'), name: 'X' }, fields)),
    ).toEqual(['NOT_FOUND'])
  })

  test('can disable and enable the creation of apps', async () => {
    const { workspaceID } = await makeWorld(service)
    const app = { workspaceID, name: 'A', redirectURIs: [redirectURI] }
    await operate('updateWorkspace', { workspaceID, customAppsEnabled: false }, fields)
    const refused = await operate('createApp', app, 'app { id }')
    expect([refused.data, codesOf(refused)]).toEqual([{ createApp: null }, ['CONFLICT']])
    await operate('updateWorkspace', { workspaceID, customAppsEnabled: true }, fields)
    expect(codesOf(await operate('createApp', app, 'app { id }'))).toEqual([])
  })
})

describe('createUser and deleteUser', () => {
  const created = 'user { id name kind email groups { nodes { id } } }'
  const deleted = 'user { id name deletedAt groups { nodes { id } } }'

  test('create a person in the General group, and remove a deleted person from every group', async () => {
    const { workspaceID, generalGroupID } = await makeWorld(service)
    const input = { workspaceID, name: ' Edsger ', email: 'e@example.com' }
    const { user } = (await operate('createUser', input, created)).data.createUser
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_[0-9A-Za-z]{27}$/),
      name: 'Edsger',
      kind: 'person',
      email: 'e@example.com',
      groups: { nodes: [{ id: generalGroupID }] },
    })
    const gone = (await operate('deleteUser', { userID: user.id }, deleted)).data.deleteUser.user
    expect(gone).toEqual({
      id: user.id,
      name: 'Edsger',
      deletedAt: expect.stringMatching(/Z$/),
      groups: { nodes: [] },
    })
    expect(codesOf(await operate('deleteUser', { userID: user.id }, deleted))).toEqual(['NOT_FOUND'])
  })

  test('createUser names every invalid field, and returns NOT_FOUND for an unknown workspace', async () => {
    const { workspaceID } = await makeWorld(service)
    const answer = await operate('createUser', { workspaceID, name: ' ', email: 'nobody' }, created)
    expect(answer.errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'name' }, { field: 'email' }] } },
    ])
    const invisible = ['a\u200b@example.com', 'a@\u202eexample.com', 'a\u0085@example.com']
    // PostgreSQL changes these capitals to i, k and σ. JavaScript changes the first to an i with a second dot, and the
    // last to ς at the end of a word.
    const capitals = ['\u0130rene@example.com', 'mi\u212ae@example.com', 'ΣΑΣ@example.com']
    for (const email of [...invisible, ...capitals]) {
      expect(codesOf(await operate('createUser', { workspaceID, name: 'X', email }, created))).toEqual([
        'INVALID_INPUT',
      ])
    }
    expect(codesOf(await operate('createUser', { workspaceID: newID('wks'), name: 'X' }, created))).toEqual([
      'NOT_FOUND',
    ])
  })

  test('deleteUser does not delete the users of apps and webhooks', async () => {
    const { app, webhook } = await makeWorld(service)
    for (const userID of [app.userID, webhook.userID]) {
      const answer = await operate('deleteUser', { userID }, deleted)
      expect(answer.errors).toMatchObject([
        { extensions: { code: 'CONFLICT', errors: [{ field: 'userID' }] } },
      ])
    }
    const unknown = await operate('deleteUser', { userID: newID('usr') }, deleted)
    expect(codesOf(unknown)).toEqual(['NOT_FOUND'])
  })
})
