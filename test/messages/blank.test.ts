import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook, redirectURI, say, uploadToWebhook } from '../support/factories.ts'
import { mutated, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { announce } from '../support/uploads.ts'

const service = await startService()
const { workspaceID, app, webhook, publicGroup, operator, ada, as } = await makeWorld(service)

const invisible: [string, string][] = [
  ['a Hangul choseong filler', '\u115f'],
  ['a Hangul jungseong filler', '\u1160'],
  ['a Hangul filler', '\u3164 \u3164'],
  ['a half-width Hangul filler', ' \uffa0'],
  ['a Braille blank', '\u2800'],
  ['a Khitan filler', '\u{16fe4}'],
  ['default-ignorable characters', '\u00ad\u034f\ufe0f\u{e0020}'],
]

const markdown: [string, string][] = [
  ['a link without a label', '[](https://example.com)'],
  ['a link with an invisible label', '[\u3164](https://example.com)'],
  ['an empty code block', '```\n```'],
  ['an empty quote', '> '],
  ['code without a character', '`\u00a0`'],
  ['bold zero-width spaces', '**\u200b**'],
  ['a mention without a label', `[](skein:${ada.id})`],
  ['a mention with an invisible label', `> [\u200b](Skein:${publicGroup.id}) [ ](skein:${workspaceID})`],
  ['a mention with an escaped character and no label', `[](skein\\:${ada.id})`],
]

describe.each([...invisible, ...markdown])('%s is refused as the text of a message', (_what, text) => {
  test('by a webhook', async () => {
    const answer = await postToWebhook(service, webhook.path, { target: publicGroup.id, text })
    expect(answer.json()).toMatchObject({
      status: 400,
      errors: [{ field: 'text', message: 'must not be blank' }],
    })
  })

  test('by GraphQL, also in an edit', async () => {
    const send = (text: string) => ({ thread: { recipients: [publicGroup.id] }, message: { text } })
    const refusal = await refused(service, app.token, 'sendMessage', send(text), 'message { id }')
    expect(refusal).toEqual(['INVALID_INPUT', 'message.text'])
    const { message } = await mutated(service, app.token, 'sendMessage', send('x'), 'message { id }')
    const edit = { messageID: message.id, text }
    expect(await refused(service, app.token, 'editMessage', edit, 'message { id }')).toEqual([
      'INVALID_INPUT',
      'text',
    ])
  })
})

test.each(invisible)('%s is refused as a subject, a name and a file name', async (_what, text) => {
  const { thread } = await say(as(ada.id), [publicGroup.id], 'x', 'Subject')
  const post = { target: publicGroup.id, text: 'x', threadSubject: text }
  const posted = await postToWebhook(service, webhook.path, post)
  expect(posted.json()).toMatchObject({ status: 400, errors: [{ field: 'threadSubject' }] })
  const named = { workspaceID, name: text }
  const attempts: [string, string, object, string][] = [
    [app.token, 'updateThread', { threadID: thread.id, subject: text }, 'subject'],
    [operatorToken, 'createWorkspace', { name: text }, 'name'],
    [operatorToken, 'createOperatorToken', { name: text }, 'name'],
    [operatorToken, 'createUser', named, 'name'],
    [operatorToken, 'createGroup', named, 'name'],
    [operatorToken, 'createWebhook', named, 'name'],
    [operatorToken, 'createApp', { ...named, redirectURIs: [redirectURI] }, 'name'],
    [operatorToken, 'updateWebhook', { webhookID: webhook.id, name: text }, 'name'],
  ]
  for (const [token, name, input, field] of attempts)
    expect([name, ...(await refused(service, token, name, input, '__typename'))]).toEqual([
      name,
      'INVALID_INPUT',
      field,
    ])
  const { errors } = await announce(service, app.token, 'x', { name: text })
  expect(errors).toMatchObject([{ extensions: { errors: [{ field: 'name' }] } }])
  const uploaded = await uploadToWebhook(service, webhook.path, 'x', {
    'x-file-name': encodeURIComponent(text),
  })
  expect([uploaded.statusCode, await operator.db.file.count({ where: { workspaceID } })]).toEqual([400, 0])
})

test.each([
  '-',
  '1.',
  '***',
  '> a',
  '\u3164a',
  'a\u3164',
  '🎉',
  '한\u3164',
  '&nbsp;',
  '```\n.\n```',
  '[A](skein:usr_000000000000000000000000001)',
  '`[](skein:usr_000000000000000000000000001)`',
])('%j shows something, and is accepted', async (text) => {
  const answer = await postToWebhook(service, webhook.path, { target: publicGroup.id, text })
  expect(answer.statusCode).toBe(200)
})
