import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decisions, formatPages, pages, plainFiles } from '../../src/http/docs/pages.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const withoutExplorer = await startService({ EXPLORER: 'off', BASE_URL: 'https://chat.example' })

const get = (url: string) => service.app.inject({ url, headers: { accept: 'text/html' } })
const fetched = new Map<string, ReturnType<typeof get>>()

/** Requests each URL only once, because many pages link to the same URL. */
function getOnce(url: string): ReturnType<typeof get> {
  const answer = fetched.get(url) ?? get(url)
  fetched.set(url, answer)
  return answer
}

/** Returns the URLs that a page links to or shows. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'))
}

describe('GET /', () => {
  test('answers a browser with a page of links', async () => {
    const answer = await get('/')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(linksOf(answer.body)).toEqual(expect.arrayContaining(['/docs', '/explorer']))
  })

  test('does not name the explorer if it is switched off', async () => {
    const answer = await withoutExplorer.app.inject('/')
    expect(linksOf(answer.body)).toContain('/docs')
    expect(answer.body).not.toContain('/explorer')
  })

  test('answers methods other than GET and HEAD with 405', async () => {
    const answer = await service.app.inject({ method: 'POST', url: '/' })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('the documentation', () => {
  test('of the web app begins with what a person does, and ends with what the operator does', async () => {
    const { body } = await getOnce('/docs/web-app')
    const places = ['First steps</h2>', 'Inbox</h2>', 'Connections</h2>', 'npm run'].map((text) =>
      body.indexOf(text),
    )
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
    expect(body.indexOf('<pre')).toBeGreaterThan(places[2] ?? 0)
  })

  test.each(
    [...pages, ...decisions, ...formatPages].map(({ path }) => path),
  )('has the page %s, and the target of every link in it exists', async (path) => {
    const answer = await getOnce(path)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const link of new Set(linksOf(answer.body))) {
      if (/^(https?|data):/.test(link)) continue
      const { pathname, hash } = new URL(link, `http://skein.example${path}`)
      const target = await getOnce(pathname)
      expect([link, target.statusCode]).toEqual([link, 200])
      const anchor = decodeURIComponent(hash.slice(1))
      if (hash)
        expect({ link, hasAnchor: target.body.includes(`id="${anchor}"`) }).toEqual({ link, hasAnchor: true })
    }
  })

  test.each(pages.map(({ path }) => path))('has no anchor twice on the page %s', async (path) => {
    const { body } = await getOnce(path)
    const anchors = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(anchors.length).toBeGreaterThan(0)
    expect(anchors).toEqual([...new Set(anchors)])
  })

  test.each(plainFiles.map(({ path }) => path))('has %s as plain text', async (path) => {
    const answer = await get(path)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  })

  test('runs no script but its own, and loads nothing from other servers', async () => {
    const { headers, body } = await get('/docs/errors')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; img-src 'self' data:; style-src 'self'; font-src 'self'; script-src 'self'; base-uri/,
    )
    const own = /<script type="module" src="\/console\/docs-page-[\w-]+\.js"><\/script>/
    expect(body).toMatch(own)
    expect(body.replace(own, '')).not.toMatch(/<script|src=|style=/)
  })

  test('has the mark of the product as its icon', async () => {
    const [, href = ''] = /<link rel="icon" href="([^"]*)">/.exec((await get('/docs')).body) ?? []
    const { statusCode, headers, body } = await get(href)
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(body).toContain('prefers-color-scheme')
  })

  test('redirects a URL with a slash at the end', async () => {
    const { statusCode, headers } = await get('/docs/')
    expect([statusCode, headers.location]).toEqual([308, '/docs'])
  })

  test('names the address of this service', async () => {
    const { body } = await withoutExplorer.app.inject('/docs')
    expect(linksOf(body)).toContain('https://chat.example/explorer')
    expect(body).not.toContain('localhost:3000')
  })

  test('names the IDs of the starter workspace in its examples, and no secret', async () => {
    expect((await get('/docs/tokens')).body).toContain('$(starter workspaceID)')
    const starter = {
      baseURL: 'http://localhost:3000',
      workspaceID: 'wks_of_the_starter',
      userIDs: ['usr_first'],
      clientSecret: 'secret-of-the-starter',
      webhookURL: 'http://localhost:3000/webhook/x/secret',
    }
    await writeFile(join(service.dataDir, 'starter.json'), JSON.stringify(starter))
    const answers = await Promise.all(pages.map(({ path }) => get(path)))
    const bodies = new Map(pages.map(({ path }, index) => [path, answers[index]?.body ?? '']))
    expect(bodies.get('/docs/tokens')).toContain('subject=wks_of_the_starter')
    expect(bodies.get('/docs/graphql')).toContain('usr_first-$ME')
    for (const body of bodies.values()) expect(body).not.toMatch(/secret-of-the-starter|webhook\/x/)
    await writeFile(join(service.dataDir, 'starter.json'), '{')
    expect((await get('/docs/tokens')).body).toContain('$(starter workspaceID)')
  })
})
