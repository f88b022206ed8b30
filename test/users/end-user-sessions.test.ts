import { describe, expect, test, vi } from 'vitest'
import { sessionEnds } from '../../src/accounts/sessions/session-ends.ts'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { graphqlAs, joiningPassword, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { makeWorld } from '../support/factories.ts'
import { startLiveService } from '../support/live-service.ts'
import { mutate, mutation } from '../support/mutations.ts'
import { codesOf, operatorToken } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'
import { subscribed } from '../support/subscribed.ts'

// Streams also check their session every ten seconds. Without this check, only the signal of the end can close them.
const setRealInterval = setInterval
vi.spyOn(globalThis, 'setInterval').mockImplementation(((run: () => void, ms: number) =>
  setRealInterval(run, ms === 10_000 ? 2 ** 30 : ms)) as typeof setInterval)

const service = await startLiveService()
const world = await makeWorld(service)
const { workspaceID, operator } = world
const input = (userID: string) => ({ input: { userID } })
const endUserSessions = mutation('endUserSessions', 'user { id }')

const works = async (cookie: string, of = workspaceID) =>
  (await graphqlAs(service, { cookie, workspaceID: of }, '{ me { id } }')).data?.me !== undefined

/** Opens a stream with a session. Returns the codes with which it ends. */
async function openStream(cookie: string) {
  const headers = { cookie, ...sameOrigin, 'skein-workspace': workspaceID }
  const request = { query: 'subscription { events { id } }', variables: {} }
  let received = 0
  const ended = subscribed(service.url, headers, request, ({ data }) => {
    if (data) received += 1
    return false
  }).then((answers) => answers.flatMap(codesOf))
  const hasReceived = async () => {
    await createPerson(operator, { workspaceID, name: 'New', email: null })
    return received > 0
  }
  await expect.poll(hasReceived, { timeout: 20_000, interval: 200 }).toBe(true)
  return { ended }
}

describe('endUserSessions', () => {
  test('ends all sessions of a person at once, for an admin', async () => {
    const admin = await signedIn(service, world, 'admin')
    const person = await signedIn(service, world, 'member')
    const second = await signIn(service, operator, person.email)
    const answer = await admin.ask(endUserSessions, input(person.id))
    expect(answer).toEqual({ data: { endUserSessions: { user: { id: person.id } } } })
    expect([await works(person.cookie), await works(second), await works(admin.cookie)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await works(await signIn(service, operator, person.email))).toBe(true)
  })

  test('ends them in all workspaces of the account, and records it in the workspace of the admin', async () => {
    const other = await makeWorld(service)
    const admin = await signedIn(service, world, 'admin')
    const person = await signedIn(service, world, 'member')
    await createPerson(operator, { workspaceID: other.workspaceID, name: 'Same', email: person.email })
    const cookie = await signIn(service, operator, person.email)
    expect(await works(cookie, other.workspaceID)).toBe(true)
    await admin.ask(endUserSessions, input(person.id))
    expect(await works(cookie, other.workspaceID)).toBe(false)
    const entries = await operator.db.auditEntry.findMany({
      where: { objectID: person.id, action: 'endUserSessions' },
    })
    expect(entries).toMatchObject([{ workspaceID, actorID: admin.id, details: { count: 2 } }])
  })

  test('keeps personal access tokens', async () => {
    const person = await signedIn(service, world, 'member')
    const token = { name: 'T', scopes: ['workspaces:read'], expiresInDays: 1 }
    const { data } = await person.ask(mutation('createPersonalAccessToken', 'accessToken'), { input: token })
    await mutate(service, operatorToken, 'endUserSessions', { userID: person.id }, '__typename')
    const answer = await service.graphql(data.createPersonalAccessToken.accessToken, '{ me { id } }')
    expect(answer.data.me.id).toBe(person.id)
  })

  test('does nothing for a person who has never signed in, and refuses the user of an app', async () => {
    const admin = await signedIn(service, world, 'admin')
    const { id } = await createPerson(operator, { workspaceID, name: 'New', email: null })
    expect((await admin.ask(endUserSessions, input(id))).errors).toBeUndefined()
    const refused = await admin.ask(endUserSessions, input(world.app.userID))
    expect(refused.errors).toMatchObject([{ extensions: { code: 'CONFLICT', reason: 'USER_KIND' } }])
  })

  test('is refused for a member, and for an admin of another workspace', async () => {
    const person = await signedIn(service, world, 'member')
    const member = await signedIn(service, world, 'member')
    expect(codesOf(await member.ask(endUserSessions, input(person.id)))).toEqual(['FORBIDDEN'])
    const stranger = await signedIn(service, await makeWorld(service), 'admin')
    expect(codesOf(await stranger.ask(endUserSessions, input(person.id)))).toEqual(['NOT_FOUND'])
    expect(await works(person.cookie)).toBe(true)
  })
})

test('an open stream of a session ends at once, however the session ends', async () => {
  const admin = await signedIn(service, world, 'admin')
  const ends: ((person: { id: string; email: string; cookie: string }) => Promise<unknown>)[] = [
    ({ id }) => admin.ask(endUserSessions, input(id)),
    ({ email }) => mutate(service, operatorToken, 'endAccountSessions', { email }, 'endedCount'),
    ({ email }) => mutate(service, operatorToken, 'deactivateAccount', { email }, '__typename'),
    ({ cookie }) =>
      postForm(service, '/account/sessions/end', { session: 'current' }, { cookie, ...sameOrigin }),
    async ({ email }) => {
      const cookie = await signIn(service, operator, email)
      await graphqlAs(service, { cookie, workspaceID }, 'mutation { endOtherSessions { removedSessionIDs } }')
    },
    async ({ email }) => {
      const cookie = await signIn(service, operator, email)
      await postForm(service, '/account/password', { password: joiningPassword }, { cookie, ...sameOrigin })
    },
  ]
  for (const end of ends) {
    const person = await signedIn(service, world, 'member')
    const { ended } = await openStream(person.cookie)
    const { accountID } = await operator.db.user.findFirstOrThrow({ where: { id: person.id } })
    const hear = vi.fn()
    const stopListening = sessionEnds(operator.db).listen(accountID ?? '', hear)
    await end(person)
    stopListening()
    expect(hear).toHaveBeenCalled()
    expect(await ended).toEqual(['UNAUTHENTICATED'])
  }
}, 60_000)
