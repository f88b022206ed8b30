import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const origin = 'https://app.example.com'
const closed = await startService()
const open = await startService({ CORS_ORIGINS: `${origin}, https://other.example.com` })
const anyone = await startService({ CORS_ORIGINS: '*' })

const preflight = (service: typeof open, url: string, from = origin) =>
  service.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin: from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })

const endpoints = [
  '/public/graphql',
  '/oauth/token',
  '/webhook/wbh_x/key',
  '/webhook/wbh_x/key/attachment',
  '/uploads/upl_x',
  '/files/fil_x/a.txt',
]

describe.each(endpoints)('a page on another origin that calls %s', (url) => {
  test('is allowed if its origin is configured', async () => {
    const answer = await preflight(open, url)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('is not allowed if its origin is not configured', async () => {
    expect(
      (await preflight(open, url, 'https://evil.example')).headers['access-control-allow-origin'],
    ).toBeUndefined()
    expect((await preflight(closed, url)).headers['access-control-allow-origin']).toBeUndefined()
  })
})

test('a page on another origin can read an error response and its Retry-After header', async () => {
  const answer = await open.app.inject({
    method: 'POST',
    url: '/public/graphql',
    headers: { origin },
    payload: {},
  })
  expect(answer.statusCode).toBe(401)
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': expect.stringContaining('Retry-After'),
  })
})

test('CORS_ORIGINS=* allows every origin', async () => {
  expect((await preflight(anyone, '/public/graphql')).headers['access-control-allow-origin']).toBe('*')
})

test('the service does not start if CORS_ORIGINS contains an invalid origin', async () => {
  await expect(startService({ CORS_ORIGINS: 'app.example.com' })).rejects.toThrow(/CORS_ORIGINS must be/)
})
