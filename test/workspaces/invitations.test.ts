import { describe, expect, test } from 'vitest'
import { sweepSignInLinks } from '../../src/accounts/links/sign-in-links.ts'
import { cookieOf, graphqlAs, joinBy } from '../support/browser-session.ts'
import { makeApp, makeWorld, type World } from '../support/factories.ts'
import { startMailServer } from '../support/mail-server.ts'
import { mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, type Service, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService({ SIGNIN_ATTEMPTS_PER_MINUTE: '0' })

const inviteDocument = mutation(
  'inviteUsers',
  'results { email user { id name } invitationURL problem { code reason message } }',
)
const revokeDocument = mutation('revokeInvitation', 'user { id deletedAt } removedUserID')
const listDocument = `query ($id: ID!) { workspace(id: $id) { invitations {
  nodes { user { id email } inviter { id } createdAt expiresAt } } } }`

/** The fields of a result that a test looks at. */
type Result = {
  user: { id: string; name: string } | null
  invitationURL: string
  problem: { message: string } | null
}

let worlds = 0
/** Returns an address in the last world. No other world has it, because accounts belong to no workspace. */
const at = (name: string) => `${name}@w${worlds}.example.com`

/** What an admin of a new world does with invitations. */
async function inWorld(of: Service = service) {
  worlds += 1
  const world = await makeWorld(of)
  const admin = await signedIn(of, world, 'admin')
  const asOperator: Ask = (query, variables) => of.graphql(operatorToken, query, variables)
  return { ...world, admin, asOperator, ...actionsOf(world, admin.ask) }
}

function actionsOf({ workspaceID }: Pick<World, 'workspaceID'>, ask: Ask) {
  const invite = async (...people: object[]): Promise<Result[]> => {
    const { data, errors } = await ask(inviteDocument, { input: { workspaceID, people } })
    expect(errors).toBeUndefined()
    return data.inviteUsers.results
  }
  const inviteOne = async (email: string) => {
    const [result] = await invite({ email })
    if (!result?.user) throw new Error(`${email} was not invited: ${result?.problem?.message}`)
    return { userID: result.user.id, path: new URL(result.invitationURL).pathname }
  }
  const revoke = (userID: string) => ask(revokeDocument, { input: { userID } })
  const listed = async () => (await ask(listDocument, { id: workspaceID })).data.workspace.invitations?.nodes
  const addresses = async (): Promise<string[]> =>
    (await listed()).map(({ user }: { user: { email: string } }) => user.email)
  return { invite, inviteOne, revoke, listed, addresses }
}

const idIn = async (path: string, { workspaceID }: World) => {
  const cookie = cookieOf(await joinBy(service, path))
  return (await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')).data.me.id
}

describe('inviteUsers', () => {
  test('returns a result for each address in order, and a failure does not stop the others', async () => {
    const world = await inWorld()
    const { invite, inviteOne, admin } = world
    const joined = await inviteOne(at('joined'))
    await idIn(joined.path, world)
    const results = await invite(
      { email: at('ada'), name: 'Ada Lovelace' },
      { email: 'no address' },
      { email: at('Joined') },
      { email: at('long'), name: 'x'.repeat(101) },
      { email: admin.email },
      { email: at('Grace.Hopper') },
    )
    const link = expect.stringContaining('/signin/link/')
    const refused = (code: string, reason: string | null, message: string) => ({
      user: null,
      invitationURL: null,
      problem: { code, reason, message: expect.stringContaining(message) },
    })
    const hasJoined = refused(
      'CONFLICT',
      'ALREADY_JOINED',
      'Email belongs to a person who has already joined',
    )
    expect(results).toMatchObject([
      { email: at('ada'), user: { name: 'Ada Lovelace' }, invitationURL: link, problem: null },
      { email: 'no address', ...refused('INVALID_INPUT', null, 'Email must be an email address, such as') },
      { email: at('Joined'), ...hasJoined },
      {
        email: at('long'),
        ...refused('INVALID_INPUT', null, 'Name must have at most 100 characters.'),
      },
      { email: admin.email, ...hasJoined },
      {
        email: at('Grace.Hopper'),
        user: { name: 'Grace.Hopper' },
        invitationURL: link,
        problem: null,
      },
    ])
    expect(await world.addresses()).toEqual([at('ada'), at('Grace.Hopper')])
    expect(await idIn(new URL(results[0]?.invitationURL ?? '').pathname, world)).toBe(results[0]?.user?.id)
  })

  test('invites an address once that is named twice, and both results have the link that works', async () => {
    const world = await inWorld()
    const [first, second] = await world.invite({ email: at('a') }, { email: at('A') })
    expect(second?.invitationURL).toBe(first?.invitationURL)
    expect(await idIn(new URL(second?.invitationURL ?? '').pathname, world)).toBe(first?.user?.id)
  })

  test('refuses no people and more than 100, and invites 100', async () => {
    const { admin, workspaceID, invite, addresses } = await inWorld()
    const people = Array.from({ length: 101 }, (_, index) => ({ email: at(`p${index}`) }))
    for (const wrong of [[], people]) {
      const answer = await admin.ask(inviteDocument, { input: { workspaceID, people: wrong } })
      expect(answer.errors).toMatchObject([
        { extensions: { code: 'INVALID_INPUT', errors: [{ field: 'people' }] } },
      ])
    }
    expect(await addresses()).toEqual([])
    const results = await invite(...people.slice(1))
    expect(results.filter(({ problem }) => problem)).toEqual([])
    expect(results).toHaveLength(100)
  })

  test('of several admins with the same list creates one person and one invitation for each address', async () => {
    const world = await inWorld()
    const emails = [at('a'), at('b'), at('c')]
    const people = emails.map((email) => ({ email }))
    const admins = [
      world.admin,
      await signedIn(service, world, 'admin'),
      await signedIn(service, world, 'admin'),
    ]
    const lists = [people, people.toReversed(), people]
    const all = await Promise.all(
      admins.map(({ ask }, index) => actionsOf(world, ask).invite(...(lists[index] ?? []))),
    )
    expect(all.flat().filter(({ problem }) => problem)).toEqual([])
    expect(new Set(all.flat().map(({ user }) => user?.id)).size).toBe(3)
    expect((await world.addresses()).sort()).toEqual(emails)
    const works = async ({ invitationURL }: Result) =>
      (await service.app.inject(new URL(invitationURL).pathname)).statusCode === 200
    expect((await Promise.all(all.flat().map(works))).filter(Boolean)).toHaveLength(3)
  })

  test('mails each invitation, and an address that the mail server refuses does not stop the others', async () => {
    const server = await startMailServer({ refuse: (address) => address.startsWith('nobody') })
    const mailing = await startService({ SMTP_URL: server.url, MAIL_FROM: 'skein@example.com' })
    const { invite, addresses } = await inWorld(mailing)
    const emails = [at('a'), at('nobody'), at('b')]
    const results = await invite(...emails.map((email) => ({ email })))
    expect(results).toMatchObject([
      { invitationURL: null, problem: null },
      { user: null, problem: { message: 'Email is refused by the mail server: 550 No such user.' } },
      { invitationURL: null, problem: null },
    ])
    expect(server.mails.flatMap(({ to }) => to).sort()).toEqual([at('a'), at('b')])
    expect((await addresses()).sort()).toEqual([at('a'), at('b')])
  })

  test('is refused for a member, without the scope workspaces:write, and for another workspace', async () => {
    const world = await inWorld()
    const { workspaceID, operator, admin } = world
    const member = await signedIn(service, world, 'member')
    const blind = await makeApp(service, operator, workspaceID, ['workspaces:read'])
    const other = await makeWorld(service)
    const people = [{ email: at('a') }]
    const input = { workspaceID, people }
    const codes = [
      await member.ask(inviteDocument, { input }),
      await service.graphql(blind.token, inviteDocument, { input }),
      await admin.ask(inviteDocument, { input: { workspaceID: other.workspaceID, people } }),
    ].map(codesOf)
    expect(codes).toEqual([['FORBIDDEN'], ['INSUFFICIENT_SCOPE'], ['NOT_FOUND']])
    expect(await world.addresses()).toEqual([])
  })
})

describe('the list of invitations', () => {
  test('has the person, who invited them, and when the link expires, until the person joins', async () => {
    const world = await inWorld()
    const { workspaceID, admin, asOperator, inviteOne, listed } = world
    const { userID, path } = await inviteOne(at('Bob'))
    const operated = { workspaceID, people: [{ email: at('carol') }] }
    const { data } = await asOperator(inviteDocument, { input: operated })
    const nodes = await listed()
    expect(nodes).toMatchObject([
      { user: { id: userID, email: at('Bob') }, inviter: { id: admin.id } },
      { user: { id: data.inviteUsers.results[0].user.id }, inviter: null },
    ])
    const [{ createdAt, expiresAt }] = nodes
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * 24 * 60 * 60 * 1000)
    await idIn(path, world)
    expect(await world.addresses()).toEqual([at('carol')])
    expect(await actionsOf(world, asOperator).addresses()).toEqual([at('carol')])
  })

  test('is null for a member', async () => {
    const world = await inWorld()
    await world.inviteOne(at('bob'))
    const member = await signedIn(service, world, 'member')
    const answer = await member.ask(listDocument, { id: world.workspaceID })
    expect(answer).toEqual({ data: { workspace: { invitations: null } } })
  })

  test('has a person once after a new link, which replaces the earlier one', async () => {
    const world = await inWorld()
    const lost = await world.inviteOne(at('bob'))
    const found = await world.inviteOne(at('bob'))
    expect(await world.addresses()).toEqual([at('bob')])
    expect((await joinBy(service, lost.path)).statusCode).toBe(403)
    expect(await idIn(found.path, world)).toBe(lost.userID)
  })

  test('leaves out a person who got another address, and has the new invitation', async () => {
    const world = await inWorld()
    const { userID } = await world.inviteOne(at('wrong'))
    const update = mutation('updateUser', 'user { email }')
    await world.admin.ask(update, { input: { userID, email: at('right') } })
    expect(await world.addresses()).toEqual([])
    const again = await world.inviteOne(at('right'))
    expect(again.userID).toBe(userID)
    expect(await world.addresses()).toEqual([at('right')])
  })

  test('has an expired invitation for 30 days', async () => {
    const world = await inWorld()
    const { db } = world.operator
    const { userID, path } = await world.inviteOne(at('late'))
    const expireBefore = async (days: number) => {
      await db.$executeRaw`
        UPDATE sign_in_links SET expires_at = now() - make_interval(days => ${days}) WHERE user_id = ${userID}`
      await sweepSignInLinks(db)
      return world.addresses()
    }
    expect(await expireBefore(29)).toEqual([at('late')])
    expect((await joinBy(service, path)).statusCode).toBe(403)
    expect(await expireBefore(31)).toEqual([])
  })
})

describe('a revoked invitation', () => {
  test('says that it was revoked, is not listed, and its person is deleted', async () => {
    const world = await inWorld()
    const { userID, path } = await world.inviteOne(at('bob'))
    const { data } = await world.revoke(userID)
    expect(data.revokeInvitation).toEqual({
      user: { id: userID, deletedAt: expect.any(String) },
      removedUserID: userID,
    })
    expect(await world.addresses()).toEqual([])
    for (const answer of [await service.app.inject(path), await joinBy(service, path)]) {
      expect([answer.statusCode, answer.cookies]).toEqual([403, []])
      expect(answer.body).toContain('This invitation was revoked by an admin.')
    }
  })

  test('is undone by a new invitation of the address, which restores the same person with the groups', async () => {
    const world = await inWorld()
    const { userID, path } = await world.inviteOne(at('bob'))
    const { publicGroup, asOperator } = world
    const groupID = publicGroup.id
    await asOperator(mutation('addMembers', 'group { id }'), { input: { groupID, userIDs: [userID] } })
    await world.revoke(userID)
    const again = await world.inviteOne(at('bob'))
    expect(again.userID).toBe(userID)
    expect((await joinBy(service, path)).statusCode).toBe(403)
    expect(await idIn(again.path, world)).toBe(userID)
    const members = `{ group(id: "${groupID}") { members { nodes { id } } } }`
    expect((await world.admin.ask(members)).data.group.members.nodes).toContainEqual({ id: userID })
  })

  test('does not let a later invitation restore a person who was deleted after they had joined', async () => {
    const world = await inWorld()
    const { userID } = await world.inviteOne(at('bob'))
    await world.revoke(userID)
    await world.asOperator(mutation('restoreUser', 'user { id }'), { input: { userID } })
    await world.asOperator(mutation('deleteUser', 'user { id }'), { input: { userID } })
    expect(await world.invite({ email: at('bob') })).toMatchObject([
      { user: null, problem: { code: 'CONFLICT', reason: 'DEACTIVATED' } },
    ])
  })

  test('cannot be revoked again, and a person who has joined cannot be revoked', async () => {
    const world = await inWorld()
    const bob = await world.inviteOne(at('bob'))
    await world.revoke(bob.userID)
    expect(codesOf(await world.revoke(bob.userID))).toEqual(['NOT_FOUND'])
    const carol = await world.inviteOne(at('carol'))
    await idIn(carol.path, world)
    expect((await world.revoke(carol.userID)).errors).toMatchObject([
      { extensions: { code: 'CONFLICT', reason: 'ALREADY_JOINED', errors: [{ field: 'userID' }] } },
    ])
    expect(codesOf(await world.revoke(world.ada.id))).toEqual(['NOT_FOUND'])
  })

  test('is refused for a member, and for a person of another workspace', async () => {
    const [world, other] = [await inWorld(), await inWorld()]
    const { userID } = await world.inviteOne(at('bob'))
    const member = await signedIn(service, world, 'member')
    expect(codesOf(await actionsOf(world, member.ask).revoke(userID))).toEqual(['FORBIDDEN'])
    expect(codesOf(await other.revoke(userID))).toEqual(['NOT_FOUND'])
    expect(await world.addresses()).toEqual([at('bob')])
  })

  test('either lets the person join or not, if both happen at the same time', async () => {
    const world = await inWorld()
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const { userID, path } = await world.inviteOne(at(`p${index}`))
        const [joined, revoked] = await Promise.all([joinBy(service, path), world.revoke(userID)])
        const { deletedAt, accountID } = await world.operator.db.user.findFirstOrThrow({
          where: { id: userID },
        })
        return {
          hasJoined: [joined.statusCode === 303, accountID !== null],
          isRevoked: [revoked.errors === undefined, deletedAt !== null],
        }
      }),
    )
    const [yes, no] = [
      [true, true],
      [false, false],
    ]
    for (const { hasJoined, isRevoked } of outcomes)
      expect([hasJoined, isRevoked]).toEqual(hasJoined[0] ? [yes, no] : [no, yes])
  })

  test('of which a new one is made at the same time leaves a person with a link that works, or none', async () => {
    const world = await inWorld()
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const email = at(`p${index}`)
        const { userID } = await world.inviteOne(email)
        const [again, revoked] = await Promise.all([world.inviteOne(email), world.revoke(userID)])
        expect([again.userID, revoked.errors]).toEqual([userID, undefined])
        const isListed = (await world.addresses()).includes(email)
        expect((await service.app.inject(again.path)).statusCode).toBe(isListed ? 200 : 403)
      }),
    )
  })
})

test('invitations and revocations add the events of the people whom they create and delete', async () => {
  const world = await inWorld()
  const { data: start } = await service.graphql(world.app.token, '{ latestEventCursor }')
  const { userID } = await world.inviteOne(at('bob'))
  await world.inviteOne(at('bob'))
  await world.revoke(userID)
  await world.inviteOne(at('bob'))
  const query = 'query ($after: String) { events(after: $after) { nodes { type objectID } } }'
  const { data } = await service.graphql(world.app.token, query, { after: start.latestEventCursor })
  const types = ['userCreated', 'userDeactivated', 'userUpdated']
  expect(data.events.nodes).toEqual(types.map((type) => ({ type, objectID: userID })))
})
