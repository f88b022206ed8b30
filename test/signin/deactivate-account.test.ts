import { expect, test } from 'vitest'
import { graphqlAs, postForm, signIn } from '../support/browser-session.ts'
import { makeClient, makeConsenter, refresh, tokensFrom, userOfToken } from '../support/consent.ts'
import { makeWorld } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { linkPathFor } from '../support/sign-in-links.ts'

const service = await startService()
const world = await makeWorld(service)
const { workspaceID, operator } = world

const change = (name: 'deactivateAccount' | 'reactivateAccount', email: string) =>
  mutate(service, operatorToken, name, { email }, 'account { email isVerified deactivatedAt }')
const find = 'query ($email: String) { accounts(email: $email) { nodes { id email deactivatedAt } } }'

test('a deactivated account loses its sessions and tokens immediately, and cannot sign in with a link', async () => {
  const person = await makeConsenter(service, world)
  const robot = await makeClient(world)
  const granted = await tokensFrom(service, person, robot, { act_as: 'user', scope: 'groups:read' })
  expect(await userOfToken(service, granted.access_token)).toBe(person.id)
  const { data } = await change('deactivateAccount', person.email.toUpperCase())
  expect(data.deactivateAccount.account).toMatchObject({
    email: person.email.toLowerCase(),
    deactivatedAt: expect.any(String),
  })
  const { errors } = await graphqlAs(service, { cookie: person.cookie, workspaceID }, '{ me { id } }')
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  expect(await userOfToken(service, granted.access_token)).toBeUndefined()
  expect((await refresh(service, robot, granted.refresh_token)).statusCode).toBe(400)
  expect((await postForm(service, await linkPathFor(operator, person.email))).statusCode).toBe(403)
})

test('a reactivated account can sign in again, and keeps its people', async () => {
  const person = await makeConsenter(service, world)
  await change('deactivateAccount', person.email)
  const { data } = await change('reactivateAccount', person.email)
  expect(data.reactivateAccount.account.deactivatedAt).toBeNull()
  const old = await graphqlAs(service, { cookie: person.cookie, workspaceID }, '{ me { id } }')
  expect(old.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }])
  const cookie = await signIn(service, operator, person.email)
  expect((await graphqlAs(service, { cookie, workspaceID }, '{ me { id } }')).data.me.id).toBe(person.id)
})

test('the operator lists accounts, and finds one by its address', async () => {
  const [person, other] = [await makeConsenter(service, world), await makeConsenter(service, world)]
  const one = (await service.graphql(operatorToken, find, { email: person.email.toUpperCase() })).data
    .accounts.nodes
  expect(one).toMatchObject([{ email: person.email.toLowerCase(), deactivatedAt: null }])
  const all: { email: string }[] = (await service.graphql(operatorToken, find)).data.accounts.nodes
  expect(all.map(({ email }) => email)).toEqual(
    expect.arrayContaining([person.email.toLowerCase(), other.email.toLowerCase()]),
  )
})

test('deactivateAccount returns NOT_FOUND for an unknown address, and only the operator can list accounts', async () => {
  const answer = await change('deactivateAccount', 'nobody@example.com')
  expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  expect((await change('deactivateAccount', 'x')).errors).toMatchObject([
    { extensions: { code: 'INVALID_INPUT' } },
  ])
  const headers = { authorization: `Bearer ${world.app.token}` }
  const request = { method: 'POST', url: '/operator/graphql', headers, payload: { query: find } } as const
  const stranger = (await service.app.inject(request)).json()
  expect(stranger.errors).toMatchObject([{ extensions: { code: expect.stringMatching(/./) } }])
})
