import { describe, expect, test } from 'vitest'
import { templateFields } from '../../src/apps/webhooks/templates.ts'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { mutated, mutation, refusalIn } from '../support/mutations.ts'
import { giveRole } from '../support/roles.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const selection = `webhook { templates { ${templateFields.join(' ')} } }`

async function makePlace() {
  const world = await makeWorld(service)
  const admin = await signedIn(service, world, 'admin')
  const webhookID = world.webhook.id
  const set = async (templates: object | null) =>
    (await mutated(service, operatorToken, 'updateWebhook', { webhookID, templates }, selection)).webhook
      .templates
  const post = async (
    body: object | string,
    end = `/template?target=${world.publicGroup.id}`,
    headers = {},
  ) => {
    const answer = await postToWebhook(service, `${world.webhook.path}${end}`, body, headers)
    await service.app.webhookCalls.flush()
    return answer
  }
  const messages = () =>
    world.operator.db.message.findMany({
      where: { workspaceID: world.workspaceID },
      orderBy: { position: 'asc' },
    })
  return { world, admin, set, post, messages, webhookID }
}

describe('the templates of a webhook', () => {
  test('are set, kept by other changes, replaced as a whole, and removed', async () => {
    const { set, webhookID } = await makePlace()
    const none = Object.fromEntries(templateFields.map((field) => [field, null]))
    const templates = { text: '{{ a }}', state: ' ', threadBy: null, uniqueBy: '{{ b }}' }
    expect(await set(templates)).toEqual({ ...none, text: '{{ a }}', uniqueBy: '{{ b }}' })
    const other = { webhookID, description: 'x' }
    const { webhook } = await mutated(service, operatorToken, 'updateWebhook', other, selection)
    expect(webhook.templates).toMatchObject({ text: '{{ a }}' })
    expect(await set({ text: 'x' })).toEqual({ ...none, text: 'x' })
    expect([await set({ text: '' }), await set({ text: 'x' }), await set(null)]).toEqual([
      null,
      expect.objectContaining({ text: 'x' }),
      null,
    ])
  })

  test('can be given when a webhook is created', async () => {
    const { workspaceID, publicGroup } = await makeWorld(service)
    const input = {
      workspaceID,
      name: 'Any',
      format: 'template',
      defaultTarget: publicGroup.id,
      templates: { text: '{{ a }}' },
    }
    const { url, webhook } = await mutated(service, operatorToken, 'createWebhook', input, `url ${selection}`)
    expect(webhook.templates.text).toBe('{{ a }}')
    const answer = await postToWebhook(service, new URL(url).pathname, { a: 'b' })
    expect(answer.json().messages).toMatchObject([{ created: true }])
    const bare = await mutated(
      service,
      operatorToken,
      'createWebhook',
      { workspaceID, name: 'B', templates: {} },
      selection,
    )
    expect(bare.webhook.templates).toBeNull()
  })

  test('are in the audit log by name', async () => {
    const { set, world } = await makePlace()
    await set({ text: 'secret words' })
    const entries = await world.operator.db.auditEntry.findMany({ where: { workspaceID: world.workspaceID } })
    expect(JSON.stringify(entries.at(-1)?.details)).toBe('{"set":["templates"]}')
  })

  test.each([
    [{ text: '{{ x | where: "y" }}', state: '{% if %}' }, ['templates.state', 'templates.text']],
    [{ text: '{% include "x" %}' }, ['templates.text']],
    [{ text: 'x'.repeat(8001) }, ['templates.text']],
    [Object.fromEntries(templateFields.slice(0, 5).map((field) => [field, 'x'.repeat(8000)])), ['templates']],
    [{ text: '\0' }, ['templates.text']],
  ])('are refused with the fields %#', async (templates, fields) => {
    const { webhookID } = await makePlace()
    const input = { webhookID, templates }
    const answer = await service.graphql(operatorToken, mutation('updateWebhook', 'webhook { id }'), {
      input,
    })
    expect(refusalIn(answer, 'updateWebhook')).toEqual(['INVALID_INPUT', ...fields])
  })
})

describe('a call of /template', () => {
  test('becomes a message by the templates', async () => {
    const { set, post, messages, world } = await makePlace()
    await set({
      text: '**{{ title }}** is {{ status }}',
      threadBy: '{{ id }}',
      threadSubject: '{{ title }}',
      uniqueBy: '{{ id }}',
      version: '{{ n }}',
      state: '{{ status }}',
      senderName: '{{ by }}',
      threadClosed: '{% if status == "ok" %}true{% endif %}',
    })
    const body = { id: 'k', title: 'Disk *1*', status: 'failed', n: 1, by: 'Ada' }
    expect((await post(body)).json()).toEqual({
      messages: [
        { messageID: expect.any(String), threadID: expect.any(String), created: true, threadCreated: true },
      ],
    })
    await post({ ...body, status: 'ok', n: 3 })
    expect((await post({ ...body, n: 2 })).json().messages).toMatchObject([{ created: false, stale: true }])
    expect(await messages()).toMatchObject([
      { text: '**Disk \\*1\\*** is ok', state: 'ok', senderName: 'Ada', version: 3n, allowMentions: false },
    ])
    const thread = await world.operator.db.thread.findFirstOrThrow({
      where: { workspaceID: world.workspaceID, kind: 'thread' },
    })
    expect(thread).toMatchObject({ subject: 'Disk *1*', state: 'ok', closedAt: expect.any(Date) })
  })

  test('can be a form, whose fields are texts', async () => {
    const { set, post, messages } = await makePlace()
    await set({ text: '{{ a }} {{ list | join }} {{ payload }} {{ body.size }}' })
    expect((await post('a=1&list=x&list=y&payload=%7B%7D', undefined, form)).statusCode).toBe(200)
    expect(await messages()).toMatchObject([{ text: '1 x, y {} 3' }])
  })

  test('leaves out values that are not valid, and names them in the answer and in the list of calls', async () => {
    const { set, post, admin, webhookID } = await makePlace()
    await set({
      text: 'x',
      state: '{{ a }}',
      version: 'v1',
      notify: 'loud',
      plain: '{{ a }}',
      threadState: 'ok',
    })
    const answer = await post({ a: 'broken' })
    const ignored = ['version', 'state', 'notify', 'plain', 'threadState']
    expect([answer.statusCode, answer.json().messages[0].ignored]).toEqual([200, ignored])
    const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { calls { ignored } } } }'
    expect((await admin.ask(query, { id: webhookID })).data.node.calls).toEqual([{ ignored }])
  })

  test('is skipped if the text is blank', async () => {
    const { set, post, messages } = await makePlace()
    await set({ text: '{% if a %}x{% endif %}' })
    const answer = await post({})
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { skipped: 'The template of the text wrote nothing.' },
    ])
    expect(await messages()).toEqual([])
  })

  test('is a 400 that names the field and the line, if a template has a problem with the body', async () => {
    const { set, post, admin, webhookID, messages } = await makePlace()
    await set({ text: 'x\n{% if a %}{{ (1..2) }}{% endif %}' })
    const answer = await post({ a: 1 })
    const problem = 'has a problem in line 2: ranges such as (1..5) are not available'
    expect([answer.statusCode, answer.json().errors]).toEqual([
      400,
      [{ field: 'templates.text', message: problem }],
    ])
    const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { calls { problems } } } }'
    expect((await admin.ask(query, { id: webhookID })).data.node.calls).toEqual([
      { problems: [`templates.text ${problem}`] },
    ])
    expect(await messages()).toEqual([])
  })

  test('is a 400 that says what to do, if there is no template of the text', async () => {
    const { set, post } = await makePlace()
    for (const templates of [null, { state: 'ok' }]) {
      await set(templates)
      const answer = await post({ text: 'x' })
      expect([answer.statusCode, answer.json().errors[0]?.field]).toEqual([400, 'templates.text'])
      expect(answer.json().detail).toContain('set the template of the text in the settings of the webhook')
    }
  })

  test('counts the templates of another process at once', async () => {
    const { set, post, messages, world } = await makePlace()
    await set({ text: 'old' })
    await post({})
    const data = { templates: { text: 'new' }, revision: { increment: 1 } }
    await world.operator.db.webhook.updateMany({ where: { id: world.webhook.id }, data })
    await post({})
    expect((await messages()).map(({ text }) => text)).toEqual(['old', 'new'])
  })
})

describe('WebhookCall.preview', () => {
  const fields =
    'preview(templates: $templates) { fields { field value } html skipped ignored problems { field message } }'

  async function makeCall(body: object | string = { id: 7, title: '*T*' }, end?: string, headers = {}) {
    const place = await makePlace()
    await place.post(body, end?.replace('TARGET', place.world.publicGroup.id), headers)
    const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { calls { id } } } }'
    const [call] = (await place.admin.ask(query, { id: place.webhookID })).data.node.calls
    const preview = async (templates: object, ask: Ask = place.admin.ask) => {
      const document = `query ($id: ID!, $templates: WebhookTemplatesInput!) {
        node(id: $id) { ... on WebhookCall { ${fields} } } }`
      return ask(document, { id: call.id, templates })
    }
    return { ...place, preview }
  }

  test('shows what templates make of a body, and writes nothing', async () => {
    const { preview, messages, world } = await makeCall()
    const templates = {
      text: '**x** {{ title }}',
      threadBy: '{{ id }}',
      state: '{{ title }}',
      version: '{{ id }}',
    }
    expect((await preview(templates)).data.node.preview).toEqual({
      fields: [
        { field: 'text', value: '**x** \\*T\\*' },
        { field: 'threadBy', value: '7' },
        { field: 'threadSubject', value: '7' },
        { field: 'version', value: '7' },
      ],
      html: '<p><strong>x</strong> *T*</p>',
      skipped: null,
      ignored: ['state'],
      problems: [],
    })
    expect(await messages()).toEqual([])
    const webhook = await world.operator.db.webhook.findFirst({ where: { id: world.webhook.id } })
    expect(webhook?.templates).toBeNull()
  })

  test('shows a form, a plain text, a skip and each problem', async () => {
    const { preview } = await makeCall('a=%2A&b=2', undefined, form)
    const found = async (templates: object) => (await preview(templates)).data.node.preview
    expect(await found({ text: '{{ a }}', plain: 'true' })).toMatchObject({ html: '<p>*</p>', problems: [] })
    expect(await found({ text: '{{ c }}' })).toMatchObject({
      fields: [],
      html: null,
      skipped: 'The template of the text wrote nothing.',
    })
    expect((await found({ text: '{{ c', state: '{% x %}' })).problems).toMatchObject([
      { field: 'text', message: expect.stringContaining('has a problem in line 1') },
      { field: 'state', message: expect.stringContaining('there is no tag "x"') },
    ])
    expect((await found({ state: 'ok' })).problems).toEqual([{ field: 'text', message: 'must not be blank' }])
    expect((await found({ text: '{{ (1..2) }}' })).problems).toMatchObject([{ field: 'text' }])
  })

  test('says so if the body is not stored as a whole, or cannot be read', async () => {
    const problems = [{ field: 'body', message: 'is not stored as a whole, or is neither JSON nor a form' }]
    for (const [body, end, headers] of [
      [{ a: 'x'.repeat(70_000) }, undefined, {}],
      ['plain', '?target=TARGET', { 'content-type': 'text/plain' }],
    ] as const) {
      const { preview } = await makeCall(body, end, headers)
      expect((await preview({ text: 'x' })).data.node.preview.problems).toEqual(problems)
    }
  })

  test('is null for those who cannot see the body, and hidden from others', async () => {
    const { preview, world, admin, webhookID } = await makeCall({ secret: 'plan' })
    const { operator, workspaceID, privateGroup, webhook } = world
    const member = { workspaceID, groupID: privateGroup.id, userID: webhook.userID, role: 'member' } as const
    await giveRole(operator, member)
    await postToWebhook(service, `${webhook.path}/template?target=${privateGroup.id}`, { plan: 'secret' })
    await service.app.webhookCalls.flush()
    const query = 'query ($id: ID!) { node(id: $id) { ... on Webhook { calls { id } } } }'
    const [call] = (await admin.ask(query, { id: webhookID })).data.node.calls
    const document = `query ($id: ID!, $templates: WebhookTemplatesInput!) {
      node(id: $id) { ... on WebhookCall { ${fields} } } }`
    const hidden = await admin.ask(document, { id: call.id, templates: { text: '{{ plan }}' } })
    expect(hidden).toEqual({ data: { node: { preview: null } } })
    const stranger = await signedIn(service, world, 'member')
    expect((await preview({ text: '{{ secret }}' }, stranger.ask)).data).toEqual({ node: null })
    const operatorAnswer = await service.graphql(operatorToken, document, {
      id: call.id,
      templates: { text: 'x' },
    })
    expect(JSON.stringify(operatorAnswer)).not.toContain('secret')
    expect(codesOf(operatorAnswer) ?? operatorAnswer.data).toBeDefined()
  })
})
