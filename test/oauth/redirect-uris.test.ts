import { describe, expect, test } from 'vitest'
import {
  codeFrom,
  exchange,
  identity,
  makeClient,
  makeConsenter,
  openConsent,
  parametersFor,
} from '../support/consent.ts'
import { makeWorld, redirectURI, requestToken } from '../support/factories.ts'
import { mutate } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService({ TOKEN_RATE_PER_MINUTE: '100000' })
const world = await makeWorld(service)
const { workspaceID } = world
const admin = await makeConsenter(service, world)
const redirectURIs = [
  redirectURI,
  'http://127.0.0.1/callback',
  'http://[::1]:4000/callback?a=b',
  'http://localhost:8080',
  'com.example.app:/callback',
]
const native = await makeClient(world, { name: 'Native', redirectURIs })

/** Returns the statuses of an authorization request and of a request for a token with client credentials. */
async function statusesFor(uri: string): Promise<[number, number]> {
  const page = await openConsent(service, parametersFor(native, { redirect_uri: uri }), admin)
  const form = { grant_type: 'client_credentials', subject: workspaceID, redirect_uri: uri }
  const token = await requestToken(service, { ...form, ...identity(native) })
  return [page.statusCode, token.statusCode]
}

/** Returns the errors of a creation and of an update with this redirect URI. */
async function refusalsOf(uri: string) {
  const created = { workspaceID, name: 'Native', redirectURIs: [uri] }
  const updated = { appID: native.id, redirectURIs: [redirectURI, uri] }
  const { errors = [] } = await mutate(service, operatorToken, 'createApp', created, 'app { id }')
  const { errors: others = [] } = await mutate(service, operatorToken, 'updateApp', updated, 'app { id }')
  expect([errors.length, others.length]).toEqual([1, 1])
  return [...errors, ...others]
}

describe('a redirect URI on a loopback address', () => {
  test.each([
    'http://127.0.0.1/callback',
    'http://127.0.0.1:51234/callback',
    'http://[::1]:51234/callback?a=b',
    'http://[::1]/callback?a=b',
    'http://localhost:51234',
    'http://localhost',
  ])('is accepted with any port: %s', async (uri) => {
    expect(await statusesFor(uri)).toEqual([200, 200])
  })

  test('gets a code on the requested port, which is exchanged only with the same port', async () => {
    const uri = 'http://127.0.0.1:51234/callback'
    const code = await codeFrom(service, admin, native, { redirect_uri: uri })
    const other = await exchange(service, native, code, { redirect_uri: 'http://127.0.0.1:51235/callback' })
    expect([other.statusCode, other.json().error]).toEqual([400, 'invalid_grant'])
    expect((await exchange(service, native, code, { redirect_uri: uri })).statusCode).toBe(200)
  })

  test.each([
    'http://127.0.0.1:51234/callback/',
    'http://127.0.0.1:51234/callback?a=b',
    'http://127.0.0.1:51234/Callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:/callback',
    'http://127.0.0.1:80@evil.example/callback',
    'http://user@127.0.0.1:51234/callback',
    'http://127.0.0.1:51234.evil.example/callback',
    'http://127.0.0.1:51234\\@evil.example/callback',
    'http://127.0.0.2:51234/callback',
    'http://localhost:51234/callback',
    'https://127.0.0.1:51234/callback',
    'https://app.example.com:444/callback',
    'com.example.app:51234/callback',
  ])('must be equal in all other parts: %s', async (uri) => {
    expect(await statusesFor(uri)).toEqual([400, 400])
  })
})

test.each([
  'https://ada@app.example.com/callback',
  'https://@app.example.com/callback',
  'https://:secret@app.example.com/callback',
  'http://127.0.0.1:80@localhost/callback',
  'http://127.0.0.1\\@evil.example/callback',
  'https:ada@app.example.com/callback',
  'https:///ada@app.example.com/callback',
  'com.example.app://ada@callback',
])('createApp and updateApp refuse user information in a redirect URI: %s', async (uri) => {
  for (const { extensions } of await refusalsOf(uri))
    expect(extensions).toMatchObject({ code: 'INVALID_INPUT' })
})

test.each([
  ['HTTP://LOCALHOST/cb', 'must begin with http://localhost,'],
  ['http://127.1/cb', 'must begin with http://127.0.0.1,'],
  ['http://[0:0::1]:9/cb', 'must begin with http://[::1]:9,'],
  ['http://127.0.0.1:/cb', 'must begin with http://127.0.0.1,'],
  ['http://127.0.0.1:09', 'must begin with http://127.0.0.1:9,'],
  ['http://localhost:0/cb', 'must not have the port 0'],
  ['https://app.example.com:0/cb', 'must not have the port 0'],
])('createApp and updateApp refuse %s, and say how to write it', async (uri, rule) => {
  for (const { message } of await refusalsOf(uri)) expect(message).toContain(rule)
})

test('a loopback address in another form that was registered earlier is still accepted, without another port', async () => {
  const [uri, other] = ['HTTP://LOCALHOST/cb', 'HTTP://LOCALHOST:9/cb']
  const client = await makeClient(world, { name: 'Earlier', redirectURIs: [redirectURI] })
  await world.operator.db.redirectURI.create({ data: { workspaceID, appID: client.id, uri } })
  const form = { grant_type: 'client_credentials', subject: workspaceID, ...identity(client) }
  const statuses = [uri, other].map(async (redirect_uri) => {
    return (await requestToken(service, { ...form, redirect_uri })).statusCode
  })
  expect(await Promise.all(statuses)).toEqual([200, 400])
})

test('a redirect URI can have an @ in its path or query', async () => {
  const uris = ['https://app.example.com//a@b', 'https://app.example.com?user=a@b']
  const app = await makeClient(world, { redirectURIs: uris })
  expect(app.id).toMatch(/^app_/)
})
