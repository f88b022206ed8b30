import { describe, expect, it, test } from 'vitest'
import { discord } from '../../../src/webhooks/formats/discord.ts'
import { makeWorld, postToWebhook, type World } from '../../support/factories.ts'
import { mutation } from '../../support/mutations.ts'
import { startService } from '../../support/service.ts'
import { signedIn } from '../../support/signed-in.ts'
import { htmlOf, operationOf, refusalOf, userID } from './read-format.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '1' })

const read = (body: unknown) => operationOf(discord, body)
const html = (content: string) => htmlOf(read({ content }))
const embed = (fields: object) => read({ embeds: [fields] })

describe("Discord's Markdown", () => {
  it.each([
    [
      '**bold** *it* _it_ __under__ ~~strike~~ `co**d**e`',
      '<p><strong>bold</strong> <em>it</em> <em>it</em> <strong>under</strong> <del>strike</del> <code>co**d**e</code></p>',
    ],
    ['||spoiler|| and a || b', '<p>spoiler and a || b</p>'],
    ['||`code` too||', '<p><code>code</code> too</p>'],
    ['# Big **news**\n## Small\n-# sub', '<p><strong>Big news</strong><br><strong>Small</strong><br>sub</p>'],
    ['#no heading', '<p>#no heading</p>'],
    ['> quoted\nnot quoted', '<blockquote><p>quoted</p></blockquote><p>not quoted</p>'],
    ['a\n>>> b\n\nc', '<p>a</p><blockquote><p>b</p><p>c</p></blockquote>'],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
    [
      '[label](https://example.com/a) <https://example.com/b>',
      '<p><a href="https://example.com/a">label</a> https://example.com/b</p>',
    ],
    ['\\*text\\* \\||', '<p>*text* ||</p>'],
  ])('styles become Markdown: %j', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  it.each([
    ['<@1> <@!2> <@&3> <#4>', '<p>@1 @2 @3 #4</p>'],
    ['<:party_time:12> <a:wave:13> :tada:', '<p>:party_time: :wave: :tada:</p>'],
    ['<t:1770000000:R> <t:1770000000>', '<p>2026-02-02 02:40 UTC 2026-02-02 02:40 UTC</p>'],
    ['</play song:12> <b> <@x>', '<p>/play song &lt;b&gt; &lt;@x&gt;</p>'],
    ['@everyone @here', '<p>@everyone @here</p>'],
    [`[Ann](skein:${userID})`, `<p>[Ann](skein:${userID})</p>`],
    [`[a](javascript:alert\\(1))`, '<p>[a](javascript:alert(1))</p>'],
  ])('references become names, times and text: %j', (content, expected) => {
    expect(html(content)).toBe(expected)
  })

  it.each([
    ['```js\nlet a = 1\n# b\n```', '<pre><code class="language-js">let a = 1\n# b\n</code></pre>'],
    ['see ```x``` here', '<p>see</p><pre><code>x\n</code></pre><p>here</p>'],
    ['```\n>>> 1 + 1\n||a|| <@1>\n```', '<pre><code>&gt;&gt;&gt; 1 + 1\n||a|| &lt;@1&gt;\n</code></pre>'],
    ['```open', '<p>```open</p>'],
  ])('code stays as it is: %j', (content, expected) => {
    expect(html(content)).toBe(expected)
  })
})

describe('an embed', () => {
  it('becomes text with its author, title, description, fields, pictures and footer', () => {
    const operation = embed({
      author: { name: 'CI *bot*', url: 'https://ci.example.com' },
      title: 'Build **12** failed',
      url: 'https://ci.example.com/12',
      description: 'The test `a` failed.',
      fields: [
        { name: 'Branch:', value: 'main', inline: true },
        { name: 'Steps', value: '- one\n- two' },
        { name: '\u200b', value: 'no name' },
      ],
      image: { url: 'https://ci.example.com/graph.png' },
      thumbnail: { url: 'attachment://small.png' },
      footer: { text: 'shop_1' },
      timestamp: '2026-01-31T12:00:00+01:00',
      color: 15158332,
    })
    expect(operation.state).toBe('failed')
    expect(operation.text).toBe(
      [
        '[CI \\*bot\\*](https://ci.example.com)\n**[Build 12 failed](https://ci.example.com/12)**',
        'The test `a` failed.',
        '**Branch:** main',
        '**Steps:**\n- one\n- two',
        'no name',
        '[Image](https://ci.example.com/graph.png)',
        '_shop_1 · 2026-01-31 11:00 UTC_',
      ].join('\n\n'),
    )
  })

  it.each([
    [0xed4245, 'failed'],
    ['15548997', 'failed'],
    [65280, 'ok'],
    [0x57f287, 'ok'],
    [16776960, undefined],
    [0, undefined],
    [-1, undefined],
    [{}, undefined],
    [null, undefined],
  ])('with the colour %j means the state %s', (color, state) => {
    expect(embed({ title: 'x', color }).state).toBe(state)
  })
})

describe('a message', () => {
  it('has the name of the sender, and a subject if it opens a post of a forum', () => {
    expect(
      read({ content: 'x', username: ' CI\n\u202ebot ', thread_name: 'Build\n12', avatar_url: 'x' }),
    ).toEqual({
      text: 'x',
      senderName: 'CI bot',
      threadSubject: 'Build 12',
    })
  })

  it('has the links and texts of its components', () => {
    const button = (fields: object) => ({ type: 2, ...fields })
    const components = [
      {
        type: 1,
        components: [
          button({ style: 5, label: 'Log', url: 'https://a.example/1' }),
          button({ style: 5, label: 'Page', url: 'https://a.example/2' }),
        ],
      },
      { type: 1, components: [button({ style: 1, label: 'Deploy', custom_id: 'x' })] },
      {
        type: 17,
        components: [
          { type: 10, content: '# Head' },
          { type: 12, items: [{ media: { url: 'https://a.example/p.png' }, description: 'Graph' }] },
        ],
      },
      {
        type: 9,
        components: [{ type: 10, content: 'Section' }],
        accessory: { type: 11, media: { url: 'https://a.example/t.png' } },
      },
    ]
    expect(read({ components }).text).toBe(
      [
        '[Log](https://a.example/1) · [Page](https://a.example/2)',
        '**Head**',
        '[Graph](https://a.example/p.png)',
        'Section',
        '[https://a.example/t.png](https://a.example/t.png)',
      ].join('\n\n'),
    )
  })

  it('names its files', () => {
    const files = ['report.pdf', 'a_b_.png', '']
    expect(read({ payload_json: '{"content":"See"}', files }).text).toBe(
      'See\n\n_Not carried over: report.pdf, a_b\\_.png_',
    )
    expect(read({ files: ['x.txt'] }).text).toBe('_Not carried over: x.txt_')
  })

  it('that shows nothing is named, and one that has nothing is refused', () => {
    const text = '_A Discord message without text._'
    for (const body of [{ embeds: [{}] }, { sticker_ids: ['1'] }, { poll: { question: { text: 'x' } } }])
      expect(read(body)).toEqual({ text })
    for (const body of [{}, { content: '' }, { content: ' ', embeds: [] }, { payload_json: '{}' }])
      expect(refusalOf(discord, body).errors).toMatchObject([{ field: 'content' }])
    for (const body of [null, [], 'x', { payload_json: '{' }, { payload_json: '[]' }])
      expect(refusalOf(discord, body).errors).toMatchObject([{ field: 'payload_json' }])
  })
})

describe('at its URL', () => {
  const boundary = '----------------------------d74496d66958873e'
  const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

  const formOf = (fields: Record<string, string>, files: Record<string, string> = {}, end = '--\r\n') =>
    `${[
      ...Object.entries(fields).map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      ...Object.entries(files).map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="files[0]"; filename="${name}"\r\nContent-Type: application/pdf\r\n\r\n${value}\r\n`,
      ),
    ].join('')}--${boundary}${end}`

  const post = (
    { webhook, publicGroup }: World,
    body: object | string,
    headers = {},
    path = '/discord',
    more = '',
  ) => postToWebhook(service, `${webhook.path}${path}?target=${publicGroup.id}${more}`, body, headers)

  async function textsOf({ operator, workspaceID }: World) {
    const found = await operator.db.message.findMany({ where: { workspaceID }, orderBy: { position: 'asc' } })
    return found.map(({ text }) => text)
  }

  test('a message is answered with 204, or with the message if the URL says wait=true', async () => {
    const world = await makeWorld(service)
    const silent = await post(world, { content: 'one' })
    expect([silent.statusCode, silent.body]).toEqual([204, ''])
    const answer = await post(world, { content: '**two**', username: 'CI' }, {}, '/discord', '&wait=true')
    expect(answer.statusCode).toBe(200)
    const [, second] = await world.operator.db.message.findMany({
      orderBy: { position: 'asc' },
      where: { workspaceID: world.workspaceID },
    })
    const sent = answer.json()
    expect(sent).toEqual({
      id: second?.id,
      type: 0,
      content: '**two**',
      channel_id: second?.threadID,
      webhook_id: world.webhook.id,
      author: { id: world.webhook.id, username: 'CI', avatar: null, discriminator: '0000', bot: true },
      timestamp: expect.any(String),
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      pinned: false,
      flags: 0,
      attachments: [],
      embeds: [],
      mentions: [],
      mention_roles: [],
      components: [],
    })
    expect(Math.abs(Date.parse(sent.timestamp) - (second?.createdAt.getTime() ?? 0))).toBeLessThan(60_000)
  })

  test.each([
    ['JSON', { content: 'x' }, {}, 'x'],
    [
      'a form',
      `payload_json=${encodeURIComponent('{"content":"x"}')}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      'x',
    ],
    [
      'a form with files',
      formOf({ payload_json: '{"content":"x"}' }, { 'report.pdf': '%PDF\0\xff' }),
      multipart,
      'x\n\n_Not carried over: report.pdf_',
    ],
    ['a form with fields', formOf({ content: 'x' }), multipart, 'x'],
  ])('%s is read, also at the paths of the API, and at the plain URL of a webhook with this format', async (kind, body, headers, text) => {
    const world = await makeWorld(service)
    const paths = ['', '/webhooks/1/x', '/v10/webhooks/1/x', '/api/v10/webhooks/1/x', '/api/webhooks/1/x']
    for (const path of paths)
      expect((await post(world, body, headers, `/discord${path}`)).statusCode).toBe(204)
    expect((await post(world, body, headers, '')).statusCode).toBe(kind === 'JSON' ? 400 : 415)
    const data = { format: 'discord', revision: { increment: 1 } }
    await world.operator.db.webhook.updateMany({ where: { id: world.webhook.id }, data })
    expect((await post(world, body, headers, '')).statusCode).toBe(204)
    expect(await textsOf(world)).toEqual(Array.from({ length: 6 }, () => text))
  })

  test('the ID of a group in the path is the target, unless the query has one', async () => {
    const { webhook, publicGroup } = await makeWorld(service)
    const send = async (id: string, query = '') =>
      (await postToWebhook(service, `${webhook.path}/discord/v10/webhooks/${id}/x${query}`, { content: 'x' }))
        .statusCode
    expect(await send(publicGroup.id)).toBe(204)
    expect(await send('123')).toBe(400)
    expect(await send('grp_unknown', `?target=${publicGroup.id}`)).toBe(204)
  })

  test('a form with files can be sent again', async () => {
    const world = await makeWorld(service)
    const { ask } = await signedIn(service, world, 'admin')
    await post(
      world,
      formOf({ payload_json: '{"content":"x","token":"abc"}' }, { 'a.txt': 'bytes' }),
      multipart,
    )
    await service.app.webhookCalls.flush()
    const query = `{ node(id: "${world.webhook.id}") { ... on Webhook { calls { id body format } } } }`
    const [call] = (await ask(query)).data.node.calls
    expect(call.format).toBe('discord')
    expect(JSON.parse(call.body)).toEqual({
      payload_json: { content: 'x', token: '[removed]' },
      files: ['a.txt'],
    })
    const selection = 'webhookCall { status createdCount }'
    const { data } = await ask(mutation('resendWebhookCall', selection), {
      input: { webhookCallID: call.id },
    })
    expect(data.resendWebhookCall.webhookCall).toEqual({ status: 204, createdCount: 1 })
    const [first, second] = await textsOf(world)
    expect(second).toBe(first)
  })

  test('a form is refused whose JSON is too deep to be stored, or that has many parts', async () => {
    const world = await makeWorld(service)
    const deep = `{"content":"x","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const names = ['content', ...Array.from({ length: 50 }, (_, index) => `f${index}`)]
    const parts = Object.fromEntries(names.map((name) => [name, 'x']))
    for (const body of [formOf({ payload_json: deep }), formOf(parts), `--${boundary}\r\n`.repeat(40_000)])
      expect((await post(world, body, multipart)).statusCode).toBe(400)
    expect(await textsOf(world)).toEqual([])
  })

  test('errors have the form of Discord', async () => {
    const world = await makeWorld(service)
    const { privateGroup } = world
    const answers = [
      await post(world, {}),
      await post(world, '{'),
      await post(world, formOf({ content: 'x' }, {}, ''), multipart),
      await post(world, 'x', { 'content-type': 'multipart/form-data' }),
      await post(world, { content: 'x' }, { 'content-type': 'text/xml' }),
      await postToWebhook(service, `${world.webhook.path}/discord?target=${privateGroup.id}`, {
        content: 'x',
      }),
      await postToWebhook(service, `${world.webhook.path}x/discord`, { content: 'x' }),
      await service.app.inject({ method: 'GET', url: `${world.webhook.path}/discord/v10/webhooks/1/x` }),
      await service.app.inject({
        method: 'PATCH',
        url: `${world.webhook.path}/discord/v10/webhooks/1/x/messages/2`,
      }),
    ]
    expect(
      answers.map(({ statusCode, ...answer }) => [
        statusCode,
        answer.json().code,
        answer.headers['content-type'],
      ]),
    ).toEqual([
      [400, 50006, 'application/json; charset=utf-8'],
      [400, 50035, 'application/json; charset=utf-8'],
      [400, 50035, 'application/json; charset=utf-8'],
      [400, 50035, 'application/json; charset=utf-8'],
      [415, 0, 'application/json; charset=utf-8'],
      [404, 10015, 'application/json; charset=utf-8'],
      [404, 10015, 'application/json; charset=utf-8'],
      [405, 0, 'application/json; charset=utf-8'],
      [404, 'not_found', 'application/problem+json; charset=utf-8'],
    ])
    expect(answers[0]?.json()).toEqual({ code: 50006, message: 'Cannot send an empty message' })
    const limitedWorld = await makeWorld(limited)
    const call = () =>
      postToWebhook(limited, `${limitedWorld.webhook.path}/discord?target=${limitedWorld.publicGroup.id}`, {
        content: 'x',
      })
    expect((await call()).statusCode).toBe(204)
    const refused = await call()
    expect(refused.statusCode).toBe(429)
    expect(refused.json()).toMatchObject({
      retry_after: Number(refused.headers['retry-after']),
      global: false,
    })
  })
})
