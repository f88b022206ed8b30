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
  '/webhook/wbh_x/key/messages',
  '/uploads/upl_x',
  '/files/fil_x/a.txt',
  '/avatars/fil_x',
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

test('a page on another origin can use each method of a webhook', async () => {
  const { headers } = await preflight(open, '/webhook/wbh_x/key/messages')
  const methods = String(headers['access-control-allow-methods']).split(', ')
  expect(methods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']))
})

test('OPTIONS from a program has the same answer with and without CORS_ORIGINS', async () => {
  for (const service of [closed, open, anyone]) {
    const answer = await service.app.inject({ method: 'OPTIONS', url: '/webhook/wbh_x/key' })
    expect([answer.statusCode, answer.headers.allow]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
  }
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
