import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encryptSignatureSecret } from '../../src/apps/webhooks/signature-secret.ts'
import { reencryptEventSecrets } from '../../src/feeds/endpoints/secrets/reencrypt-secrets.ts'
import { testDatabase } from '../support/database.ts'
import { makeWorld, postToWebhook, uploadToWebhook, type World } from '../support/factories.ts'
import { mutate, mutated, mutation, refused } from '../support/mutations.ts'
import { operatorToken, startService } from '../support/service.ts'
import { signedIn } from '../support/signed-in.ts'

const service = await startService()
const withoutKey = await startService({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })

const secret = 'correct-horse-battery'
const hexOf = (body: string | Buffer, key = secret) => createHmac('sha256', key).update(body).digest('hex')
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const plain = { 'content-type': 'text/plain' }
const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
const byHeader = { 'x-webhook-secret': secret }

async function set({ webhook, publicGroup }: World, settings: object) {
  const input = { webhookID: webhook.id, defaultTarget: publicGroup.id, ...settings }
  const selection = 'webhook { hasSignatureSecret }'
  return (await mutated(service, operatorToken, 'updateWebhook', input, selection)).webhook
}

async function makeSigned(settings = {}) {
  const world = await makeWorld(service)
  await set(world, { signatureSecret: secret, ...settings })
  return world
}

/** Sets the secret as another process does. */
async function setElsewhere({ operator, webhook }: World, value: string | null): Promise<void> {
  const signatureSecret = encryptSignatureSecret(service.config, webhook.id, value)
  const data = { signatureSecret, revision: { increment: 1 } }
  await operator.db.webhook.updateMany({ where: { id: webhook.id }, data })
}

function post({ webhook }: World, body: object | string | Buffer, headers = {}, path = '') {
  return postToWebhook(service, webhook.path + path, body, headers)
}

async function statusesOf(world: World, body: string | Buffer, all: object[], path = '', more = {}) {
  const statuses: number[] = []
  for (const headers of all) {
    const { statusCode, ...answer } = await post(world, body, { ...more, ...headers }, path)
    if (statusCode === 403) expect(answer.json().code).toBe('bad_signature')
    statuses.push(statusCode)
  }
  return statuses
}

const textsOf = async ({ operator, workspaceID }: World) =>
  (await operator.db.message.findMany({ where: { workspaceID }, orderBy: { position: 'asc' } })).map(
    ({ text }) => text,
  )

describe('a call of a webhook with a secret', () => {
  const body = '{ "text": "Größe",  "text": "second" }'

  test.each([
    ['github', 'x-hub-signature-256', `sha256=${hexOf(body)}`, hexOf(body)],
    ['sentry', 'sentry-hook-signature', hexOf(body), `sha256=${hexOf(body)}`],
    ['gitlab', 'x-gitlab-token', secret, hexOf(body)],
    ['json', 'x-webhook-secret', secret, hexOf(body)],
    [null, 'x-webhook-secret', secret, hexOf(body)],
  ])('with the format %s needs the header %s', async (format, header, right, wrong) => {
    const world = await makeSigned({ format })
    const others = [
      {},
      { [header]: wrong },
      { [header]: '' },
      { [header]: right.slice(0, -1) },
      { [header]: right.replace(hexOf(body), hexOf(body.replaceAll(' ', ''))).replace(secret, 'x') },
      { [header]: right.replace(hexOf(body), hexOf(body, 'another-secret-of-16')).replace(secret, 'y') },
      { [header]: `${right}, ${right}` },
      ...(format === 'github' ? [byHeader, { authorization: `Bearer ${secret}` }] : []),
    ]
    const statuses = await statusesOf(world, body, [...others, { [header]: right }])
    expect(statuses.slice(0, -1)).toEqual(others.map(() => 403))
    expect(statuses.at(-1)).not.toBe(403) // 400 if it is no body of the format
    const { detail } = (await post(world, body)).json()
    expect(detail.toLowerCase()).toContain(`in the header ${header}.`)
  })

  test('can have the secret as a bearer token', async () => {
    const world = await makeSigned()
    const all = ['Bearer wrong', `Basic ${secret}`, `Bearer ${secret}`, `bearer ${secret}`]
    const headers = all.map((authorization) => ({ authorization }))
    expect(await statusesOf(world, body, headers)).toEqual([403, 403, 200, 200])
  })

  test('is verified over the bytes that arrived, before they are parsed', async () => {
    const world = await makeSigned({ format: 'sentry' })
    const bytes = Buffer.from([...Buffer.from('{"data":{"x":"'), 0xff, ...Buffer.from('"}}')])
    const replaced = Buffer.from(bytes.toString())
    const signedAs = (of: Buffer) => ({ 'sentry-hook-signature': hexOf(of) })
    expect(await statusesOf(world, bytes, [signedAs(replaced), signedAs(bytes)])).toEqual([403, 400])
    const withMark = Buffer.from('\ufeff{"data":{}}')
    const all = [signedAs(withMark.subarray(3)), signedAs(withMark)]
    expect(await statusesOf(world, withMark, all)).toEqual([403, 200])
    expect(await statusesOf(world, '{', [{}, signedAs(Buffer.from('{'))])).toEqual([403, 400])
  })

  test('needs it for every kind of body, and for none', async () => {
    const world = await makeSigned()
    const kinds: [string, object, string, number][] = [
      ['{"text":"x"}', {}, '', 200],
      ['x', plain, '', 200],
      ['{"text":"x"}', {}, '/slack', 200],
      ['payload=%7B%22text%22%3A%22x%22%7D', form, '/slack', 200],
      ['{"message":"x"}', {}, '/json', 200],
      [
        '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\nx\r\n--b--\r\n',
        multipart,
        '/discord',
        204,
      ],
      ['{"nonsense":', {}, '/json', 400],
      ['x', form, '', 415],
    ]
    for (const [sent, type, path, expected] of kinds) {
      const wrong = (await post(world, sent, type, path)).statusCode
      const right = (await post(world, sent, { ...type, ...byHeader }, path)).statusCode
      expect({ sent, path, wrong, right }).toEqual({ sent, path, wrong: 403, right: expected })
    }
    expect((await post(world, { text: 'x' }, {}, '/slack')).body).toBe('invalid_token')
    const bare = (headers: object) =>
      service.app.inject({ method: 'POST', url: `${world.webhook.path}?text=bare`, headers: { ...headers } })
    expect((await bare({})).statusCode).toBe(403)
    expect((await bare(byHeader)).statusCode).toBe(200)
  })

  test('needs the secret for uploads, deletions and changes of threads, but not to ask what the URL accepts', async () => {
    const world = await makeSigned()
    const { path } = world.webhook
    const call = { text: 'x', threadBy: 'k', threadSubject: 'S', uniqueBy: 'u' }
    const { threadID, messageID } = (await post(world, call, byHeader)).json()
    const send = async (
      method: 'PATCH' | 'DELETE',
      end: string,
      headers: object,
      payload = '{"closed":true}',
    ) => {
      const body = method === 'PATCH' ? { payload } : {}
      const type = method === 'PATCH' ? { 'content-type': 'application/json' } : {}
      const all = { ...headers, ...type }
      return (await service.app.inject({ method, url: path + end, headers: all, ...body })).json()
    }
    for (const end of [`/threads/${threadID}`, '/threads?threadBy=k']) {
      expect(await send('PATCH', end, {})).toMatchObject({ code: 'bad_signature' })
      expect(await send('PATCH', end, {}, 'no JSON')).toMatchObject({ code: 'bad_signature' })
      expect(await send('PATCH', end, byHeader)).toEqual({ threadID })
    }
    for (const end of ['/messages?threadBy=k&uniqueBy=u', `/messages/${messageID}`])
      expect(await send('DELETE', end, {})).toMatchObject({ code: 'bad_signature' })
    expect(await send('DELETE', `/messages/${messageID}`, byHeader)).toEqual({ messageID })
    expect((await uploadToWebhook(service, path, 'x')).json()).toMatchObject({ code: 'bad_signature' })
    expect((await uploadToWebhook(service, path, 'x', byHeader)).statusCode).toBe(200)
    expect((await service.app.inject({ method: 'GET', url: path })).statusCode).toBe(200)
  })

  test('is refused with a text that names the header, and is in the list of calls without its body', async () => {
    const world = await makeSigned({ format: 'sentry' })
    const { ask } = await signedIn(service, world, 'admin')
    const wrong = hexOf('another body')
    const answer = await post(world, body, { 'sentry-hook-signature': wrong })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({
      code: 'bad_signature',
      title: 'The signature is not right',
      detail:
        'The signature is not right. The webhook has a secret. Send the HMAC-SHA256 of the body with the secret, in hexadecimal, in the header Sentry-Hook-Signature.',
    })
    await setElsewhere(world, null)
    expect((await post(world, { data: {} })).statusCode).toBe(200)
    await setElsewhere(world, secret)
    expect((await post(world, body)).json().detail).toMatch(/^The signature is missing\./)
    await service.app.webhookCalls.flush()
    const query = `{ node(id: "${world.webhook.id}") { ... on Webhook { calls { id status problems body } } } }`
    const { calls } = (await ask(query)).data.node
    const refusal = { status: 403, problems: [expect.stringContaining('Sentry-Hook-Signature')], body: null }
    expect(calls).toMatchObject([refusal, { status: 200 }, refusal])
    const { errors } = await ask(mutation('resendWebhookCall', '__typename'), {
      input: { webhookCallID: calls[0].id },
    })
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'BODY_NOT_STORED' })
    expect(service.log.join()).not.toContain(secret)
    expect(service.log.join()).not.toContain(hexOf('another body'))
  })

  test('can be sent again by the service, which does not sign its own calls', async () => {
    const world = await makeSigned()
    const { ask } = await signedIn(service, world, 'admin')
    await post(world, { text: 'again' }, byHeader)
    await post(world, { text: 'again' }, byHeader, '/slack')
    await service.app.webhookCalls.flush()
    const query = `{ node(id: "${world.webhook.id}") { ... on Webhook { calls { id } } } }`
    for (const { id } of (await ask(query)).data.node.calls) {
      const selection = 'webhookCall { status createdCount }'
      const input = { webhookCallID: id }
      const { data } = await ask(mutation('resendWebhookCall', selection), { input })
      expect(data.resendWebhookCall.webhookCall).toEqual({ status: 200, createdCount: 1 })
    }
    expect(await textsOf(world)).toHaveLength(4)
  })
})

describe('a secret that another process has set', () => {
  const kinds: [string, object | string, object, string][] = [
    ['JSON', { text: 'x' }, {}, ''],
    ['text', 'x', plain, ''],
    ['a format', { text: 'x' }, {}, '/slack'],
    ['a call that is skipped', {}, {}, '/json'],
  ]

  test.each(
    kinds,
  )('counts for the next call, whatever is cached here: %s', async (_kind, body, type, path) => {
    const world = await makeWorld(service)
    await set(world, {})
    const call = async (headers = {}) => (await post(world, body, { ...type, ...headers }, path)).statusCode
    expect(await call()).toBe(200)
    await setElsewhere(world, secret)
    expect(await call()).toBe(403)
    expect(await call(byHeader)).toBe(200)
    await setElsewhere(world, 'another-secret-of-16')
    expect(await call({ 'x-webhook-secret': 'another-secret-of-16' })).toBe(200)
    await setElsewhere(world, secret)
    expect(await call({ 'x-webhook-secret': 'another-secret-of-16' })).toBe(403)
    await setElsewhere(world, null)
    expect(await call()).toBe(200)
    expect(await textsOf(world)).toHaveLength(path === '/json' ? 0 : 4)
  })

  test('counts for uploads and deletions, too', async () => {
    const world = await makeWorld(service)
    await set(world, {})
    const { messageID } = (await post(world, { text: 'x' })).json()
    await setElsewhere(world, secret)
    const deleted = await service.app.inject({
      method: 'DELETE',
      url: `${world.webhook.path}/messages/${messageID}`,
    })
    expect(deleted.json()).toMatchObject({ code: 'bad_signature' })
    await setElsewhere(world, null)
    expect((await uploadToWebhook(service, world.webhook.path, 'x')).statusCode).toBe(200)
    await setElsewhere(world, secret)
    expect((await uploadToWebhook(service, world.webhook.path, 'x')).statusCode).toBe(403)
  })
})

describe('signatureSecret', () => {
  test('is stored encrypted, cannot be read, and is in no entry of the audit log', async () => {
    const world = await makeWorld(service)
    const { operator, workspaceID, webhook } = world
    expect(await set(world, { signatureSecret: secret })).toEqual({ hasSignatureSecret: true })
    expect(await set(world, {})).toEqual({ hasSignatureSecret: true })
    const row = await operator.db.webhook.findFirstOrThrow({ where: { id: webhook.id } })
    expect(Buffer.from(row.signatureSecret ?? []).toString()).not.toContain(secret)
    const entries = await operator.db.auditEntry.findMany({ where: { workspaceID } })
    expect(JSON.stringify(entries)).toContain('"signatureSecret"')
    expect(JSON.stringify(entries)).not.toContain(secret)
    const { ask } = await signedIn(service, world, 'admin')
    await service.app.webhookCalls.flush()
    expect(await set(world, { signatureSecret: null })).toEqual({ hasSignatureSecret: false })
    expect((await post(world, { text: 'x' })).statusCode).toBe(200)
    const query = `{ node(id: "${webhook.id}") { ... on Webhook { hasSignatureSecret } } }`
    expect((await ask(query)).data.node).toEqual({ hasSignatureSecret: false })
  })

  test('can be set when a webhook is created', async () => {
    const { workspaceID, publicGroup } = await makeWorld(service)
    const input = { workspaceID, name: 'Signed', defaultTarget: publicGroup.id, signatureSecret: secret }
    const made = await mutated(
      service,
      operatorToken,
      'createWebhook',
      input,
      'url webhook { hasSignatureSecret }',
    )
    expect(made.webhook).toEqual({ hasSignatureSecret: true })
    const path = new URL(made.url).pathname
    expect((await postToWebhook(service, path, { text: 'x' })).statusCode).toBe(403)
    expect((await postToWebhook(service, path, { text: 'x' }, byHeader)).statusCode).toBe(200)
  })

  test('has 16 to 255 characters that a header can have', async () => {
    const { webhook } = await makeWorld(service)
    for (const signatureSecret of [
      '',
      'x'.repeat(15),
      'x'.repeat(256),
      'sixteen characters',
      'größer-als-sechzehn',
    ]) {
      const input = { webhookID: webhook.id, signatureSecret }
      expect(await refused(service, operatorToken, 'updateWebhook', input, '__typename')).toEqual([
        'INVALID_INPUT',
        'signatureSecret',
      ])
    }
  })

  test('needs an encryption key', async () => {
    const { webhook } = await makeWorld(withoutKey)
    const input = { webhookID: webhook.id, signatureSecret: secret }
    const { errors } = await mutate(withoutKey, operatorToken, 'updateWebhook', input, '__typename')
    expect(errors?.[0]?.extensions).toMatchObject({ reason: 'ENCRYPTION_KEY_MISSING' })
  })

  test('is encrypted again with a new key, after which the previous key is not needed', async () => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
    const before = await startService({ ENCRYPTION_KEY: oldKey.toString('base64') }, await testDatabase())
    const { operator, webhook, publicGroup } = await makeWorld(before)
    const input = { webhookID: webhook.id, defaultTarget: publicGroup.id, signatureSecret: secret }
    await mutated(before, operatorToken, 'updateWebhook', input, '__typename')
    const only = { ...before.config, encryptionKey: newKey }
    const during = { ...only, previousEncryptionKey: oldKey }
    const counts = { endpointCount: 0, webhookCount: 0, failedCount: 1 }
    expect(await reencryptEventSecrets({ ...operator, config: only })).toEqual(counts)
    expect(await reencryptEventSecrets({ ...operator, config: during })).toEqual({
      ...counts,
      webhookCount: 1,
      failedCount: 0,
    })
    expect(await reencryptEventSecrets({ ...operator, config: only })).toMatchObject({ failedCount: 0 })
  })
})
