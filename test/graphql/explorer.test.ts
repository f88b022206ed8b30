import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startService } from '../support/service.ts'

const service = await startService()

const get = (url: string, headers = {}) => service.app.inject({ url, headers })

describe('the explorer', () => {
  test('is a page that loads only its own scripts and styles', async () => {
    const answer = await get('/explorer')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).not.toMatch(/http|\*|unsafe-eval/)
    const links = [...answer.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(2)
    expect(links).toContain('explorer/mark.svg')
    for (const link of links) {
      expect((await get(new URL(link, 'http://x/explorer').pathname)).statusCode).toBe(200)
    }
  })

  test('is compressed on request, and returns 304 if it is unchanged', async () => {
    const plain = await get('/explorer/page.js')
    expect(plain.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
    const packed = await get('/explorer/page.js', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    const again = await get('/explorer/page.js', { 'if-none-match': plain.headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test.each([
    '/explorer/',
    '/explorer/nothing.js',
    '/explorer/page.js.gz',
    '/explorer/..%2f..%2fmain.ts',
    '/explorer/%2e%2e/type-defs.ts',
  ])('returns 404 for %s', async (url) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })

  test('returns 405 for POST', async () => {
    const answer = await service.app.inject({ method: 'POST', url: '/explorer' })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('returns 404 if it is switched off', async () => {
    const off = await startService({ EXPLORER: 'off' })
    for (const url of ['/explorer', '/explorer/page.js']) {
      expect((await off.app.inject({ url })).statusCode).toBe(404)
    }
  })
})
