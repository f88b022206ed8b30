import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codes } from '../../src/errors.ts'
import { updateThread } from '../../src/messages/thread-changes/update-thread.ts'
import { makeWorld, postToWebhook, say } from '../support/factories.ts'
import { repository } from '../support/process.ts'
import { startService } from '../support/service.ts'

const service = await startService({ BASE_URL: 'https://chat.example' })

describe('a problem', () => {
  test('has a type that links to the documentation, and the title that belongs to its code', async () => {
    const answer = await service.app.inject({ url: '/nowhere' })
    expect(answer.json()).toMatchObject({
      type: 'https://chat.example/docs/errors#not_found',
      title: 'Not found',
      status: 404,
      code: 'not_found',
      requestID: answer.headers['x-request-id'],
    })
  })

  test('has the reason if the current state does not allow the request', async () => {
    const { as, ada, publicGroup, webhook } = await makeWorld(service)
    const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'Announcements')
    await updateThread(as(ada.id), { threadID: thread.id, repliesOff: true })
    const answer = await postToWebhook(service, webhook.path, { target: thread.id, text: 'x' })
    expect(answer.json()).toMatchObject({ status: 403, code: 'forbidden', reason: 'replies_off' })
  })
})

describe('a URL at which nothing exists', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const get = (accept: string, url = '/nowhere', method: 'GET' | 'POST' = 'GET') =>
    service.app.inject({ method, url, headers: { accept } })

  test.each([
    '/nowhere',
    '/no%zzwhere',
    '/console/nothing.js',
  ])('shows a browser a page with a link to the start page, at %s', async (url) => {
    const answer = await get(browser, url)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('<h1>Page not found</h1>')
    expect(answer.body).toContain('<a href="/">')
  })

  test.each([
    '*/*',
    'application/json',
    'application/json, text/html',
  ])('answers a program that accepts %s with a problem', async (accept) => {
    const answer = await get(accept)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
  })

  test('answers a method other than GET and HEAD with a problem', async () => {
    const answer = await get(browser, '/nowhere', 'POST')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ])
  })
})

describe('the documentation', () => {
  test('lists every code with its status and title', () => {
    const text = readFileSync(join(repository, 'docs/errors.md'), 'utf8')
    const rows = [...text.matchAll(/^\| <a id="(\w+)"><\/a>`\1` \| (\d+) \| ([^|]+) \| [^|]+ \|$/gm)]
    const listed = rows.map(([, code, status, title]) => [code, Number(status), title])
    expect(listed).toEqual(Object.entries(codes).map(([code, { status, title }]) => [code, status, title]))
  })

  test('is served with an anchor for every code', async () => {
    const page = await service.app.inject({ url: '/docs/errors' })
    for (const code of Object.keys(codes)) expect(page.body).toContain(`<a id="${code}"></a>`)
  })
})
