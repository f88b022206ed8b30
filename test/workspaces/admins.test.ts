import { describe, expect, test } from 'vitest'
import type { Scope } from '../../src/scopes.ts'
import { cookieOf, graphqlAs, joinBy, postForm, sameOrigin } from '../support/browser-session.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { linkIn, startMailServer } from '../support/mail-server.ts'
import { mutation } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn as personOf } from '../support/signed-in.ts'

const service = await startService()
const signedIn = (world: World, role: 'admin' | 'member') => personOf(service, world, role)

const update = mutation('updateWorkspace', 'workspace { name avatarURL customAppsEnabled }')
const create = mutation('createUser', 'user { id name kind }')
const change = mutation('updateUser', 'user { id name email }')
const invite = mutation('inviteUser', 'user { id name email } invitationURL')
const remove = mutation('deleteUser', 'user { id deletedAt }')
const forbidden = [{ extensions: { code: 'FORBIDDEN' } }]
const notFound = [{ extensions: { code: 'NOT_FOUND' } }]

describe('an admin of the workspace', () => {
  test('can change its name, its picture and whether apps can be created, but not its email domain', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const admin = await signedIn(world, 'admin')
    const fields = { name: 'New name', avatarURL: 'https://example.com/a.png', customAppsEnabled: false }
    const { data } = await admin.ask(update, { input: { workspaceID, ...fields } })
    expect(data.updateWorkspace.workspace).toEqual(fields)
    const domain = await admin.ask(update, { input: { workspaceID, emailDomain: 'evil.example' } })
    expect(domain.errors).toMatchObject(forbidden)
  })

  test('can create, rename and delete people', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const admin = await signedIn(world, 'admin')
    const { data } = await admin.ask(create, {
      input: { workspaceID, name: 'Linus', email: 'linus@example.com' },
    })
    const { id } = data.createUser.user
    const renamed = await admin.ask(change, {
      input: { userID: id, name: 'Torvalds', email: 'new@example.com' },
    })
    expect(renamed.data.updateUser.user).toEqual({ id, name: 'Torvalds', email: 'new@example.com' })
    const deleted = await admin.ask(remove, { input: { userID: id } })
    expect(deleted.data.deleteUser.user).toEqual({ id, deletedAt: expect.any(String) })
  })

  test('cannot change the email address of a person with an account, but the operator can, and this unlinks the account', async () => {
    const world = await makeWorld(service)
    const [admin, member] = [await signedIn(world, 'admin'), await signedIn(world, 'member')]
    const input = { userID: member.id, email: 'admins-own@example.com' }
    expect((await admin.ask(change, { input })).errors).toMatchObject(forbidden)
    expect((await member.ask('{ me { id } }')).errors).toBeUndefined()
    expect((await service.graphql(operatorToken, change, { input })).errors).toBeUndefined()
    expect((await member.ask('{ me { id } }')).errors).toMatchObject(forbidden)
  })

  test('has no rights in another workspace', async () => {
    const [world, other] = [await makeWorld(service), await makeWorld(service)]
    const admin = await signedIn(world, 'admin')
    const { workspaceID } = other
    for (const answer of [
      await admin.ask(update, { input: { workspaceID, name: 'Mine' } }),
      await admin.ask(create, { input: { workspaceID, name: 'Spy' } }),
      await admin.ask(change, { input: { userID: other.ada.id, name: 'Mine' } }),
      await admin.ask(remove, { input: { userID: other.ada.id } }),
    ]) {
      expect(answer.errors).toMatchObject(notFound)
    }
  })

  test('needs the scope workspaces:write with a token', async () => {
    const world = await makeWorld(service)
    const { workspaceID, operator, generalGroupID: groupID } = world
    const tokenWith = async (scopes: Scope[]) => {
      const app = await makeApp(service, operator, workspaceID, scopes)
      await giveRole(operator, { workspaceID, groupID, userID: app.userID, role: 'admin' })
      return app.token
    }
    const input = { workspaceID, name: 'By an app' }
    const allowed = await service.graphql(await tokenWith(['workspaces:write']), update, { input })
    expect(allowed.data.updateWorkspace.workspace.name).toBe('By an app')
    const refused = await service.graphql(await tokenWith(['workspaces:read']), update, { input })
    expect(refused.errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE' } }])
  })
})

describe('the last admin', () => {
  test('cannot be demoted or deleted, except by the operator', async () => {
    const world = await makeWorld(service)
    const admin = await signedIn(world, 'admin')
    const conflict = [{ extensions: { code: 'CONFLICT', reason: 'ONLY_ADMIN' } }]
    const demote = mutation('updateMember', 'memberEdge { role }')
    const demotion = { input: { groupID: world.workspaceID, userID: admin.id, role: 'member' } }
    expect((await admin.ask(demote, demotion)).errors).toMatchObject(conflict)
    expect((await admin.ask(remove, { input: { userID: admin.id } })).errors).toMatchObject(conflict)
    expect((await admin.ask('{ viewer { workspaceRole } }')).data.viewer.workspaceRole).toBe('admin')
    expect(
      (await service.graphql(operatorToken, remove, { input: { userID: admin.id } })).errors,
    ).toBeUndefined()
  })

  test('stays if two admins delete each other at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const world = await makeWorld(service)
      const [one, other] = [await signedIn(world, 'admin'), await signedIn(world, 'admin')]
      await Promise.all([
        one.ask(remove, { input: { userID: other.id } }),
        other.ask(remove, { input: { userID: one.id } }),
      ])
      const { workspaceID, generalGroupID: groupID, operator } = world
      const left = await operator.db.groupMember.count({ where: { workspaceID, groupID, role: 'admin' } })
      expect(left).toBe(1)
    }
  })
})

describe('a member', () => {
  test('can change only their own name', async () => {
    const world = await makeWorld(service)
    const { workspaceID } = world
    const member = await signedIn(world, 'member')
    const own = await member.ask(change, { input: { userID: member.id, name: 'Me' } })
    expect(own.data.updateUser.user.name).toBe('Me')
    for (const answer of [
      await member.ask(change, { input: { userID: member.id, email: 'x@example.com' } }),
      await member.ask(change, { input: { userID: world.ada.id, name: 'Not me' } }),
      await member.ask(update, { input: { workspaceID, name: 'Mine' } }),
      await member.ask(create, { input: { workspaceID, name: 'Friend' } }),
      await member.ask(remove, { input: { userID: world.ada.id } }),
    ]) {
      expect(answer.errors).toMatchObject(forbidden)
    }
    expect((await member.ask('{ viewer { workspaceRole } }')).data.viewer.workspaceRole).toBe('member')
  })
})

describe('an invitation', () => {
  const world = makeWorld(service)
  const accept = async (url: string) => joinBy(service, new URL(url).pathname)

  test('by an admin signs the person in only once', async () => {
    const { workspaceID } = await world
    const admin = await signedIn(await world, 'admin')
    const input = { workspaceID, email: 'Bob.Smith@example.com' }
    const { data } = await admin.ask(invite, { input })
    expect(data.inviteUser.user).toMatchObject({ name: 'Bob.Smith', email: input.email })
    const cookie = cookieOf(await accept(data.inviteUser.invitationURL))
    const own = await graphqlAs(service, { cookie, workspaceID }, '{ me { id } viewer { workspaceRole } }')
    expect(own.data).toEqual({ me: { id: data.inviteUser.user.id }, viewer: { workspaceRole: 'member' } })
    expect((await accept(data.inviteUser.invitationURL)).statusCode).toBe(403)
    expect((await admin.ask(invite, { input })).errors).toMatchObject([
      {
        message: expect.stringContaining('ask the person who runs this service (the operator)'),
        extensions: { code: 'CONFLICT', reason: 'ALREADY_JOINED' },
      },
    ])
  })

  test('is shown to admins and the operator, until the person has signed in', async () => {
    const { workspaceID, generalGroupID } = await world
    const [admin, member] = [await signedIn(await world, 'admin'), await signedIn(await world, 'member')]
    const { data } = await admin.ask(invite, { input: { workspaceID, email: 'joan@example.com' } })
    const { id } = data.inviteUser.user
    const look = 'query ($id: ID!) { node(id: $id) { ... on User { isInvited } } }'
    const seen = async (ask: typeof admin.ask) => (await ask(look, { id })).data.node.isInvited
    const operator: typeof admin.ask = (query, variables) => service.graphql(operatorToken, query, variables)
    expect([await seen(admin.ask), await seen(operator), await seen(member.ask)]).toEqual([true, true, null])
    const again = await admin.ask(invite, { input: { workspaceID, email: 'joan@example.com' } })
    expect(again.data.inviteUser.user.id).toBe(id)
    await accept(again.data.inviteUser.invitationURL)
    expect([await seen(admin.ask), await seen(member.ask)]).toEqual([false, null])
    const members = `{ group(id: "${generalGroupID}") { members(last: 50) { nodes { kind isInvited } } } }`
    const { nodes } = (await admin.ask(members)).data.group.members
    expect(nodes).toContainEqual({ kind: 'app', isInvited: null })
    expect(nodes).toContainEqual({ kind: 'webhook', isInvited: null })
  })

  test('to one address in ten concurrent calls creates one person', async () => {
    const { workspaceID, operator } = await world
    const admin = await signedIn(await world, 'admin')
    const email = 'popular@example.com'
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => admin.ask(invite, { input: { workspaceID, email } })),
    )
    expect(new Set(answers.map(({ data }) => data.inviteUser.user.id)).size).toBe(1)
    expect(await operator.db.user.count({ where: { workspaceID, email } })).toBe(1)
    expect(await operator.db.signInLink.count({ where: { email } })).toBe(1)
  })

  test('replaces the earlier invitation to the same workspace, but no invitation to another workspace', async () => {
    const email = 'lost@example.com'
    const inviteTo = async (target: World) => {
      const admin = await signedIn(target, 'admin')
      const { data } = await admin.ask(invite, { input: { workspaceID: target.workspaceID, email } })
      return data.inviteUser.invitationURL
    }
    const other = await inviteTo(await makeWorld(service))
    const lost = await inviteTo(await world)
    const found = await inviteTo(await world)
    expect((await accept(lost)).statusCode).toBe(403)
    expect((await service.app.inject(new URL(other).pathname)).statusCode).toBe(200)
    expect((await accept(found)).statusCode).toBe(303)
  })

  test('lets a person who is signed in join another workspace', async () => {
    const { workspaceID } = await world
    const admin = await signedIn(await world, 'admin')
    const { email, cookie } = await signedIn(await makeWorld(service), 'member')
    const { data } = await admin.ask(invite, { input: { workspaceID, email } })
    const { pathname } = new URL(data.inviteUser.invitationURL)
    const answer = await postForm(service, pathname, {}, { cookie, ...sameOrigin })
    expect([answer.statusCode, answer.cookies]).toEqual([303, []])
    const own = await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')
    expect(own.data.me.id).toBe(data.inviteUser.user.id)
  })

  test('is mailed and not shown if there is a mail server', async () => {
    const server = await startMailServer()
    const mailing = await startService({ SMTP_URL: server.url, MAIL_FROM: 'skein@example.com' })
    const { workspaceID } = await makeWorld(mailing)
    const input = { workspaceID, email: 'mailed@example.com', name: 'Mailed' }
    const { data } = await mailing.graphql(operatorToken, invite, { input })
    expect(data.inviteUser.invitationURL).toBeNull()
    expect(server.mails).toMatchObject([{ to: [input.email] }])
    const cookie = cookieOf(await postForm(mailing, new URL(linkIn(server.mails[0]?.source ?? '')).pathname))
    const own = await graphqlAs(mailing, { cookie, workspaceID }, '{ me { id } }')
    expect(own.data.me.id).toBe(data.inviteUser.user.id)
  })

  test('that cannot be mailed creates no person, and can be repeated', async () => {
    const server = await startMailServer({ refuse: 'mail' })
    const failing = await startService({ SMTP_URL: server.url, MAIL_FROM: 'skein@example.com' })
    const { workspaceID, operator } = await makeWorld(failing)
    const input = { workspaceID, email: 'full@example.com' }
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { errors } = await failing.graphql(operatorToken, invite, { input })
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }])
    }
    expect(await operator.db.user.count({ where: { workspaceID, email: input.email } })).toBe(0)
  })

  test('to an address that the mail server refuses fails with its response, and creates no person', async () => {
    const server = await startMailServer({ refuse: 'recipient' })
    const refused = await startService({ SMTP_URL: server.url, MAIL_FROM: 'skein@example.com' })
    const { workspaceID, operator } = await makeWorld(refused)
    const input = { workspaceID, email: 'nobody@example.com' }
    const { errors } = await refused.graphql(operatorToken, invite, { input })
    expect(await operator.db.user.count({ where: { workspaceID, email: input.email } })).toBe(0)
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ field: 'email', message: 'is refused by the mail server: 550 No such user' }],
    })
  })

  test('that the mail server does not accept yet fails with its response, which is also logged', async () => {
    const answer = { responseCode: 450, message: '4.2.0 Greylisted' }
    const server = await startMailServer({ refuse: 'recipient', answer })
    const failing = await startService({ SMTP_URL: server.url, MAIL_FROM: 'skein@example.com' })
    const { workspaceID } = await makeWorld(failing)
    const input = { workspaceID, email: 'later@example.com' }
    const { errors } = await failing.graphql(operatorToken, invite, { input })
    const message = expect.stringContaining('Its answer is: 450 4.2.0 Greylisted')
    expect(errors).toMatchObject([{ message, extensions: { code: 'UNAVAILABLE' } }])
    expect(failing.log.join('')).toContain('450 4.2.0 Greylisted')
  })

  test('that is not mailed because the mail server refuses the password says so', async () => {
    const server = await startMailServer({ refuse: 'password' })
    const url = server.url.replace('//', '//skein:password@')
    const failing = await startService({ SMTP_URL: url, MAIL_FROM: 'skein@example.com' })
    const { workspaceID } = await makeWorld(failing)
    const input = { workspaceID, email: 'refused@example.com' }
    const { errors } = await failing.graphql(operatorToken, invite, { input })
    const message = expect.stringContaining('must check SMTP_URL and MAIL_FROM')
    expect(errors).toMatchObject([{ message, extensions: { code: 'UNAVAILABLE' } }])
  })

  test('by a member is refused', async () => {
    const { workspaceID } = await world
    const member = await signedIn(await world, 'member')
    const { errors } = await member.ask(invite, { input: { workspaceID, email: 'friend@example.com' } })
    expect(errors).toMatchObject(forbidden)
  })
})
