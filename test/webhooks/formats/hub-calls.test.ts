import { expect, test } from 'vitest'
import { makeWorld, postToWebhook } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import { startService } from '../../support/service.ts'
import { signedIn } from '../../support/signed-in.ts'
import { githubBody } from './payloads/github-bodies.ts'
import { mergeRequest } from './payloads/gitlab-bodies.ts'
import { writtenBy } from './written-by.ts'

const service = await startService()

async function makePlace() {
  const world = await makeWorld(service)
  const post = async (format: string, body: object | string, headers = {}, target = world.publicGroup.id) => {
    const answer = await postToWebhook(
      service,
      `${world.webhook.path}/${format}?target=${target}`,
      body,
      headers,
    )
    expect(answer.statusCode, answer.body).toBe(200)
    await service.app.webhookCalls.flush()
    return answer.json()
  }
  return { world, post }
}

const eventOf = (event: string) => ({ 'x-github-event': event, 'x-github-delivery': 'a1' })
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const opened = githubBody('pull_request.opened')

test('JSON and a form of GitHub become the same message', async () => {
  const { world, post } = await makePlace()
  const { messages } = await post('github', opened, eventOf('pull_request'))
  const body = new URLSearchParams({ payload: JSON.stringify(opened) }).toString()
  const repeated = await post('github', body, { ...form, ...eventOf('pull_request') })
  expect(repeated.messages).toEqual([{ ...messages[0], created: false, threadCreated: false }])
  expect((await writtenBy(world)).messages).toHaveLength(1)
})

test('the ping of GitHub, and an event that GitLab adds, are answered with 200', async () => {
  const { post } = await makePlace()
  expect(await post('github', githubBody('ping'), eventOf('ping'))).toEqual({
    skipped: 'GitHub asks whether the URL works.',
  })
  expect(await post('gitlab', { object_kind: 'new', project: {} })).toEqual({
    skipped: 'The event "new" becomes no message.',
  })
})

test('checks and a deleted comment of a thread that does not exist are skipped with a reason', async () => {
  const { world, post } = await makePlace()
  for (const name of ['check_suite.completed', 'issue_comment.deleted'])
    expect(await post('github', githubBody(name))).toEqual({
      skipped: expect.stringContaining('does not exist'),
    })
  expect(await writtenBy(world)).toEqual({ threads: [], messages: [] })
})

test('events at the same time write one thread and one message for each object', async () => {
  const { world, post } = await makePlace()
  const names = ['opened', 'labeled', 'closed'].map((action) => `pull_request.${action}`)
  const events = [...names, 'pull_request_review_comment.created', ...names].map((name) => githubBody(name))
  await Promise.all(events.map((event) => post('github', event)))
  const { threads, messages } = await writtenBy(world)
  expect(threads).toEqual([
    { subject: expect.stringContaining('Hello-World#2'), state: null, isClosed: true },
  ])
  expect(messages).toHaveLength(2)
})

test('two pull requests in one thread keep their messages apart, and do not close it', async () => {
  const { world, post } = await makePlace()
  const thread = await postToWebhook(service, world.webhook.path, {
    target: world.publicGroup.id,
    threadSubject: 'Changes',
    text: 'All changes',
  })
  const { threadID } = thread.json()
  const closed = githubBody('pull_request.closed', { pull_request: { merged: true } })
  for (const number of [2, 3])
    await post(
      'github',
      { ...closed, pull_request: { ...(closed.pull_request as object), number } },
      {},
      threadID,
    )
  const { threads, messages } = await writtenBy(world)
  expect(threads).toEqual([{ subject: 'Changes', state: null, isClosed: false }])
  expect(messages.map(({ state }) => state)).toEqual([null, 'ok', 'ok'])
})

test.each([
  ['github', opened, eventOf('pull_request')],
  ['github', new URLSearchParams({ payload: JSON.stringify(opened) }).toString(), form],
  ['gitlab', mergeRequest('open', '2026-01-31T12:00:00Z'), { 'x-gitlab-event': 'Merge Request Hook' }],
])('a call of %s is sent again without its headers', async (format, body, headers) => {
  const { world, post } = await makePlace()
  await post(format, body, headers)
  const admin = await signedIn(service, world, 'admin')
  const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { calls { id } } } }'
  const [call] = (await admin.ask(query, { id: world.webhook.id })).data.node.calls
  const fields = 'webhookCall { status updatedCount createdCount problems messages { text } }'
  const { data } = await admin.ask(mutation('resendWebhookCall', fields), {
    input: { webhookCallID: call.id },
  })
  expect(data.resendWebhookCall.webhookCall).toEqual({
    status: 200,
    createdCount: 0,
    updatedCount: 1,
    problems: [],
    messages: [{ text: expect.stringContaining('\nOpen') }],
  })
})
