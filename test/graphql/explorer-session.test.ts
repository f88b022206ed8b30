import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { operatorToken, startService } from '../support/service.ts'

const service = await startService()

beforeAll(async () => {
  await service.graphql(operatorToken, 'mutation { createStarterWorkspace { path } }')
})
afterEach(() => {
  vi.useRealTimers()
})

async function newWelcome(): Promise<string> {
  const made = await service.graphql(operatorToken, 'mutation { createWelcome { welcome } }')
  return made.data.createWelcome.welcome
}

async function newCode(): Promise<string> {
  const [, code = ''] = /\/explorer\?code=([\w-]{43})$/m.exec(await newWelcome()) ?? []
  expect(code).not.toBe('')
  return code
}

const post = (payload: object) => service.app.inject({ method: 'POST', url: '/explorer/session', payload })

describe('a one-time link to the explorer', () => {
  test('returns an access token of the starter app once', async () => {
    const code = await newCode()
    const page = await service.app.inject(`/explorer?code=${code}`)
    expect(page.statusCode).toBe(200)
    const answer = await post({ code })
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
    const token = {
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'Bearer',
      expires_in: 3600,
    }
    expect(answer.json()).toEqual(token)
    const { data } = await service.graphql(answer.json().access_token, '{ me { name } }')
    expect(data.me.name).toBe('Starter app')
    const again = await post({ code })
    expect([again.statusCode, again.json().code]).toEqual([403, 'forbidden'])
  })

  test('returns one token for a hundred concurrent requests', async () => {
    const code = await newCode()
    const answers = await Promise.all(Array.from({ length: 100 }, () => post({ code })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('expires after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const code = await newCode()
    vi.advanceTimersByTime(10 * 60_000)
    expect((await post({ code })).statusCode).toBe(403)
  })

  test('is not logged, and neither is its token', async () => {
    service.log.length = 0
    const code = await newCode()
    await service.app.inject(`/explorer?code=${code}`)
    const { access_token: token } = (await post({ code })).json()
    expect(service.log.length).toBeGreaterThan(2)
    for (const secret of [code, token]) expect(service.log.join('')).not.toContain(secret)
  })
})

test.each([{}, { code: 7 }, { code: ['x'] }])('POST /explorer/session refuses %j', async (payload) => {
  const answer = await post(payload)
  expect([answer.statusCode, answer.json().errors]).toEqual([
    400,
    [{ field: 'code', message: 'must be a string' }],
  ])
})

test('the welcome message says how to create a starter workspace if none exists', async () => {
  const bare = await startService({ EXPLORER: 'off' })
  const { data } = await bare.graphql(operatorToken, 'mutation { createWelcome { welcome } }')
  expect(data.createWelcome.welcome).toContain('npm run admin -- starter')
  expect(data.createWelcome.welcome).not.toContain('/explorer')
  expect((await bare.app.inject({ method: 'POST', url: '/explorer/session' })).statusCode).toBe(404)
})
