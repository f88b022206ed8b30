import { describe, expect, test } from 'vitest'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import {
  codeFrom,
  errorOf,
  exchange,
  invalidGrant,
  makeClient,
  makeConsenter,
  refresh,
  tokensFrom,
  userOfToken,
} from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { mutate, mutated } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { workspaceID, operator, generalGroupID: groupID } = world
const { db } = operator
const robot = await makeClient(world, { scopes: ['groups:read'] })
// Creates one more admin, so that every other admin can be demoted or deleted.
await makeConsenter(service, world)
const asUser = { act_as: 'user' }

describe('a token that acts as a person', () => {
  test('acts as the person with its own scopes, not with the scopes of the app', async () => {
    const member = await makeConsenter(service, world, 'member')
    const tokens = await tokensFrom(service, member, robot, { ...asUser, scope: 'workspaces:read' })
    expect(tokens).toMatchObject({ user_id: member.id, workspace_id: workspaceID, scope: 'workspaces:read' })
    const query =
      '{ me { id kind } viewer { workspaceRole scopes installation { id } } groups { nodes { id } } }'
    const { data, errors } = await service.graphql(tokens.access_token, query)
    expect(data).toEqual({
      me: { id: member.id, kind: 'person' },
      viewer: { workspaceRole: 'member', scopes: ['workspaces:read'], installation: null },
      groups: null,
    })
    expect(errors).toMatchObject([
      { extensions: { code: 'INSUFFICIENT_SCOPE', requiredScope: 'groups:read' } },
    ])
  })

  test('writes messages as the person', async () => {
    const member = await makeConsenter(service, world, 'member')
    const { access_token } = await tokensFrom(service, member, robot, asUser)
    const input = { thread: { recipients: [workspaceID] }, message: { text: 'From a robot' } }
    const { message } = await mutated(service, access_token, 'sendMessage', input, 'message { user { id } }')
    expect(message.user.id).toBe(member.id)
  })

  test('changes the workspace only with the scope, and only while the person is an admin', async () => {
    const admin = await makeConsenter(service, world)
    const member = await makeConsenter(service, world, 'member')
    const rename = async (token: string) => {
      const input = { workspaceID, name: 'Workshop' }
      const answer = await mutate(service, token, 'updateWorkspace', input, 'workspace { name }')
      return answer.errors?.[0]?.extensions.code ?? answer.data.updateWorkspace.workspace.name
    }
    const write = { ...asUser, scope: 'workspaces:write' }
    const tokens = await tokensFrom(service, admin, robot, write)
    expect(await rename(tokens.access_token)).toBe('Workshop')
    const narrow = await tokensFrom(service, admin, robot, { ...asUser, scope: 'workspaces:read' })
    expect(await rename(narrow.access_token)).toBe('INSUFFICIENT_SCOPE')
    const ofMember = await tokensFrom(service, member, robot, write)
    expect(await rename(ofMember.access_token)).toBe('FORBIDDEN')
    await giveRole(operator, { workspaceID, groupID, userID: admin.id, role: 'member' })
    expect(await rename(tokens.access_token)).toBe('FORBIDDEN')
    const renewed = (await refresh(service, robot, tokens.refresh_token)).json()
    expect([renewed.user_id, await rename(renewed.access_token)]).toEqual([admin.id, 'FORBIDDEN'])
  })

  test('cannot do what only the operator can do', async () => {
    const admin = await makeConsenter(service, world)
    const { access_token } = await tokensFrom(service, admin, robot, { ...asUser, scope: 'workspaces:write' })
    const input = { workspaceID, emailDomain: 'evil.example' }
    const { errors } = await mutate(service, access_token, 'updateWorkspace', input, 'workspace { id }')
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })
})

describe('the tokens and codes of a person', () => {
  const ends: [string, (person: { id: string; email: string }) => Promise<unknown>][] = [
    ['is deleted', ({ id }) => mutated(service, operatorToken, 'deleteUser', { userID: id }, 'user { id }')],
    [
      'has a deactivated account',
      ({ email }) => db.$executeRaw`UPDATE accounts SET deactivated_at = now() WHERE email = ${email}`,
    ],
    [
      'is no longer the person of the account',
      ({ id }) =>
        mutated(service, operatorToken, 'updateUser', { userID: id, email: `new-${id}@b.c` }, 'user { id }'),
    ],
  ]
  test.each(ends)('who %s end with the next request', async (_what, end) => {
    const member = await makeConsenter(service, world, 'member')
    const code = await codeFrom(service, member, robot, asUser)
    const tokens = await tokensFrom(service, member, robot, asUser)
    await end(member)
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual(invalidGrant)
    expect(errorOf(await exchange(service, robot, code))).toEqual(invalidGrant)
  })

  test('end if the person is linked to another account', async () => {
    const member = await makeConsenter(service, world, 'member')
    const tokens = await tokensFrom(service, member, robot, asUser)
    const other = await makeConsenter(service, await makeWorld(service))
    await db.$executeRaw`
      UPDATE users SET account_id = (SELECT account_id FROM users WHERE id = ${other.id}) WHERE id = ${member.id}`
    expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
    expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual(invalidGrant)
  })

  test('stay valid after the person is deleted if the app acts as itself, except an unused code', async () => {
    const admin = await makeConsenter(service, world)
    const code = await codeFrom(service, admin, robot)
    const tokens = await tokensFrom(service, admin, robot)
    await mutated(service, operatorToken, 'deleteUser', { userID: admin.id }, 'user { id }')
    expect(await userOfToken(service, tokens.access_token)).toBe(robot.userID)
    expect((await refresh(service, robot, tokens.refresh_token)).statusCode).toBe(200)
    expect((await exchange(service, robot, code)).statusCode).toBe(400)
  })
})

test('old tokens stay invalid after a deleted person joins again', async () => {
  const member = await makeConsenter(service, world, 'member')
  const tokens = await tokensFrom(service, member, robot, asUser)
  await mutated(service, operatorToken, 'deleteUser', { userID: member.id }, 'user { id }')
  await createPerson(operator, { workspaceID, name: 'Again', email: member.email })
  expect(await userOfToken(service, tokens.access_token)).toBeUndefined()
  expect(errorOf(await refresh(service, robot, tokens.refresh_token))).toEqual(invalidGrant)
})
