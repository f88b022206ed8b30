import { describe, expect, test } from 'vitest'
import { makeWorld, redirectURI, requestToken, tokenForm } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()
const world = await makeWorld(service)
const { workspaceID } = world

const selection = 'app { id isPublic isListed } clientSecret'
const create = (input: object = {}) => {
  const all = { workspaceID, name: 'Mobile', redirectURIs: [redirectURI], ...input }
  return mutated(service, operatorToken, 'createApp', all, selection)
}

describe('createApp', () => {
  test('creates a confidential app that is not listed by default', async () => {
    for (const input of [{}, { isPublic: null, isListed: null }, { isPublic: false, isListed: false }]) {
      expect(await create(input)).toEqual({
        app: { id: expect.any(String), isPublic: false, isListed: false },
        clientSecret: expect.stringMatching(/^[\w-]{43}$/),
      })
    }
  })

  test('creates a public app without a secret, and a listed app', async () => {
    expect(await create({ isPublic: true, isListed: true })).toEqual({
      app: { id: expect.any(String), isPublic: true, isListed: true },
      clientSecret: null,
    })
  })

  test.each([
    ['https://app.example/cb?a=b', true],
    ['http://localhost/cb', true],
    ['http://127.0.0.1:8080/cb', true],
    ['http://[::1]:8080/cb', true],
    ['com.example.app:/cb', true],
    ['http://app.example/cb', false],
    ['http://127.0.0.1.evil.example/cb', false],
    ['http://localhost@evil.example/cb', false],
    ['https://app.example/cb#fragment', false],
    ['https://app.example/c b', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['myapp:/cb', false],
    ['file:///etc/passwd', false],
    ['//app.example/cb', false],
    ['/cb', false],
  ])('accepts the redirect URI %s: %s', async (uri, isAccepted) => {
    const input = { workspaceID, name: 'Mobile', redirectURIs: [uri] }
    if (isAccepted) await mutated(service, operatorToken, 'createApp', input, selection)
    else
      expect(await refused(service, operatorToken, 'createApp', input, selection)).toEqual([
        'INVALID_INPUT',
        'redirectURIs.0',
      ])
  })
})

describe('a public app', () => {
  test('has no secret to rotate', async () => {
    const { app } = await create({ isPublic: true })
    const answer = await refused(
      service,
      operatorToken,
      'rotateClientSecret',
      { appID: app.id },
      'clientSecret',
    )
    expect(answer).toEqual(['INVALID_INPUT', 'appID'])
    const stored = await world.operator.db.app.findFirst({ where: { id: app.id } })
    expect(stored?.secretHash).toBeNull()
  })

  test('cannot use client credentials, with or without a secret', async () => {
    const { app } = await create({ isPublic: true })
    for (const clientSecret of ['', 'made-up']) {
      const answer = await requestToken(service, tokenForm({ workspaceID, clientID: app.id, clientSecret }))
      const error = clientSecret === '' ? [400, 'invalid_request'] : [401, 'invalid_client']
      expect([answer.statusCode, answer.json().error]).toEqual(error)
    }
  })
})

test('updateApp changes whether an app is listed only if the input says so', async () => {
  const { app } = await create()
  const update = async (input: object) =>
    (await mutated(service, operatorToken, 'updateApp', { appID: app.id, ...input }, 'app { isListed }')).app
  expect(await update({ isListed: true })).toEqual({ isListed: true })
  expect(await update({ name: 'Phone' })).toEqual({ isListed: true })
  expect(await update({ isListed: null })).toEqual({ isListed: true })
  expect(await update({ isListed: false })).toEqual({ isListed: false })
})
