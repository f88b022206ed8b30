import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, type World } from '../support/factories.ts'
import { mutated } from '../support/mutations.ts'
import { startService } from '../support/service.ts'

const service = await startService()

type Posted = { threadID: string; created: boolean; threadCreated: boolean }
type Body = { text: string; threadSubject?: string; threadBy?: string; uniqueBy?: string }
type Post = (world: World, body: Body) => Promise<Posted>

const byWebhook: Post = async ({ webhook, publicGroup }, body) => {
  const answer = await postToWebhook(service, webhook.path, { target: publicGroup.id, ...body })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

const bySendMessage: Post = async ({ app, publicGroup }, { text, uniqueBy, threadSubject, threadBy }) => {
  const thread = { recipients: [publicGroup.id], subject: threadSubject, threadBy }
  const input = { thread, message: { text, uniqueBy } }
  const sent = await mutated(service, app.token, 'sendMessage', input, 'created threadCreated thread { id }')
  return { threadID: sent.thread.id, created: sent.created, threadCreated: sent.threadCreated }
}

describe.each([
  ['a webhook', byWebhook],
  ['sendMessage', bySendMessage],
])('threadCreated in the response of %s', (_name, post) => {
  test('is true only for the call that created the thread', async () => {
    const world = await makeWorld(service)
    const flags = async (body: Body) => {
      const { created, threadCreated } = await post(world, body)
      return { created, threadCreated }
    }
    const opening = { text: 'x', threadSubject: 'S', threadBy: 'k', uniqueBy: 'u' }
    expect(await flags(opening)).toEqual({ created: true, threadCreated: true })
    expect(await flags(opening)).toEqual({ created: false, threadCreated: false })
    expect(await flags({ text: 'x', threadBy: 'k' })).toEqual({ created: true, threadCreated: false })
    expect(await flags({ text: 'x', threadSubject: 'S' })).toEqual({ created: true, threadCreated: true })
    expect(await flags({ text: 'x' })).toEqual({ created: true, threadCreated: false })
  })

  test.each([
    ['without uniqueBy', {}, 100],
    ['with the same uniqueBy', { uniqueBy: 'u' }, 1],
  ])('is true for exactly one of a hundred concurrent calls with the same threadBy, %s', async (_case, more, messages) => {
    const world = await makeWorld(service)
    const body = { text: 'x', threadSubject: 'S', threadBy: 'k', ...more }
    const posted = await Promise.all(Array.from({ length: 100 }, () => post(world, body)))
    expect(posted.filter(({ threadCreated }) => threadCreated)).toHaveLength(1)
    expect(posted.filter(({ created }) => created)).toHaveLength(messages)
    expect(new Set(posted.map(({ threadID }) => threadID)).size).toBe(1)
  })
})
