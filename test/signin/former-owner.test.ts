import { describe, expect, test } from 'vitest'
import { createPerson } from '../../src/workspaces/users/create-user.ts'
import { cookieOf, graphqlAs, postForm, sameOrigin, signIn } from '../support/browser-session.ts'
import { makeWorld, type World } from '../support/factories.ts'
import { client, startIdentityProvider, visitProvider } from '../support/identity-provider.ts'
import { mutated } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const baseURL = 'http://localhost:3000'
const provider = await startIdentityProvider(`${baseURL}/signin/oidc/callback`)
const service = await startService({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  SIGNIN_ATTEMPTS_PER_MINUTE: '0',
})
const password = 'correct horse battery staple'

const operate = (name: string, input: object) => mutated(service, operatorToken, name, input, 'user { id }')
let addresses = 0

/** Creates a person with a password, a session and an identity at the provider, and deletes the person. */
async function withFormerOwner() {
  const world = await makeWorld(service)
  addresses += 1
  const email = `former${addresses}@example.com`
  const { id } = await createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Former', email })
  const claims = { sub: `former-${addresses}`, email, email_verified: true }
  await signInAtProvider(claims)
  const cookie = await signIn(service, world.operator, email)
  const set = await postForm(service, '/account/password', { password }, { cookie, ...sameOrigin })
  expect(set.statusCode).toBe(303)
  await operate('deleteUser', { userID: id })
  return { world, email, claims, cookie }
}

async function signInAtProvider(claims: typeof provider.person) {
  provider.person = claims
  const started = await service.app.inject('/signin/oidc')
  const [{ name, value } = { name: '', value: '' }] = started.cookies
  const back = await visitProvider(String(started.headers.location), `${baseURL}/signin/oidc/callback`)
  const answer = await service.app.inject({
    url: back.slice(baseURL.length),
    headers: { cookie: `${name}=${value}` },
  })
  const session = answer.cookies.find((cookie) => cookie.name === 'skein-session')
  if (!session) throw new Error(`The answer starts no session: ${answer.statusCode}`)
  return `${session.name}=${session.value}`
}

const signInWithPassword = (email: string) => postForm(service, '/signin', { email, password })

/** Returns the ID of the person in the workspace who is signed in by a cookie, or undefined. */
async function personOf({ workspaceID }: World, cookie: string): Promise<string | undefined> {
  return (await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')).data?.me?.id
}

const waysToAddress: [string, (world: World, email: string) => Promise<string>][] = [
  [
    'is invited as a new person',
    async ({ workspaceID }, email) =>
      (await operate('inviteUser', { workspaceID, email, asNewPerson: true })).user.id,
  ],
  [
    'is created',
    async ({ workspaceID }, email) =>
      (await operate('createUser', { workspaceID, name: 'New', email })).user.id,
  ],
  [
    'gets the address',
    async ({ operator, workspaceID }, email) => {
      const { id } = await createPerson(operator, { workspaceID, name: 'New' })
      return (await operate('updateUser', { userID: id, email })).user.id
    },
  ],
]

describe.each(waysToAddress)('if somebody else %s', (_way, give) => {
  test('the former owner of the address does not become this person by a password, session or identity', async () => {
    const { world, email, claims, cookie } = await withFormerOwner()
    await give(world, email)
    expect(await personOf(world, cookieOf(await signInWithPassword(email)))).toBeUndefined()
    expect(await personOf(world, cookie)).toBeUndefined()
    const moved = { ...claims, email: `moved-${email}` }
    expect(await personOf(world, await signInAtProvider(moved))).toBeUndefined()
  })

  test('the new owner becomes this person, and the former owner is signed out everywhere', async () => {
    const { world, email, claims, cookie } = await withFormerOwner()
    const id = await give(world, email)
    const old = cookieOf(await signInWithPassword(email))
    expect(await personOf(world, await signIn(service, world.operator, email))).toBe(id)
    expect(await personOf(world, old)).toBeUndefined()
    expect(await personOf(world, cookie)).toBeUndefined()
    expect((await signInWithPassword(email)).statusCode).toBe(403)
    const moved = { ...claims, email: `moved-${email}` }
    expect(await personOf(world, await signInAtProvider(moved))).toBeUndefined()
  })

  test('the new owner becomes this person by an identity with the address', async () => {
    const { world, email, claims } = await withFormerOwner()
    const id = await give(world, email)
    expect(await personOf(world, await signInAtProvider({ ...claims, sub: `new-${claims.sub}` }))).toBe(id)
  })
})

test('a restored person signs in with the earlier password', async () => {
  const world = await makeWorld(service)
  const email = 'restored@example.com'
  const { id } = await createPerson(world.operator, { workspaceID: world.workspaceID, name: 'Person', email })
  const cookie = await signIn(service, world.operator, email)
  await postForm(service, '/account/password', { password }, { cookie, ...sameOrigin })
  await operate('deleteUser', { userID: id })
  await operate('restoreUser', { userID: id })
  expect(await personOf(world, cookieOf(await signInWithPassword(email)))).toBe(id)
})
