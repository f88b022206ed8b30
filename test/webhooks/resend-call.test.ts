import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook } from '../support/factories.ts'
import { mutated, mutation } from '../support/mutations.ts'
import { codesOf, operatorToken, startService } from '../support/service.ts'
import { type Ask, signedIn } from '../support/signed-in.ts'

const service = await startService()
const limited = await startService({ WEBHOOK_RATE_PER_MINUTE: '1' })

const fields = 'id status format targetID createdCount updatedCount problems body messages { text }'

async function makePlace(of = service) {
  const world = await makeWorld(of)
  const admin = await signedIn(of, world, 'admin')
  const { path, id } = world.webhook
  const target = world.publicGroup.id
  const post = async (body: object | string, end = '', headers = {}) => {
    const answer = await postToWebhook(of, `${path}${end}`, body, headers)
    await of.app.webhookCalls.flush()
    return answer
  }
  const calls = async () => {
    const query = `query ($id: ID!) { node(id: $id) { ... on Webhook { calls { ${fields} } } } }`
    return (await admin.ask(query, { id })).data.node.calls
  }
  const resend = async (webhookCallID: string, ask: Ask = admin.ask) => {
    const answer = await ask(mutation('resendWebhookCall', `webhookCall { ${fields} }`), {
      input: { webhookCallID },
    })
    return { ...answer, call: answer.data.resendWebhookCall?.webhookCall }
  }
  return { world, admin, target, post, calls, resend }
}

describe('resendWebhookCall', () => {
  test('runs a body of the plain URL again, with the fields of its query', async () => {
    const { target, post, calls, resend } = await makePlace()
    await post('load is 3', `?target=${target}&uniqueBy=load`, { 'content-type': 'text/plain' })
    const [first] = await calls()
    const { call, errors } = await resend(first.id)
    expect(errors).toBeUndefined()
    expect(call).toEqual({ ...first, id: expect.any(String), createdCount: 0, updatedCount: 1 })
    expect(await calls()).toEqual([call, first])
  })

  test.each([
    ['JSON', { text: 'Build <https://example.com|42>' }, {}],
    [
      'a form',
      'payload=%7B%22text%22%3A%22Build%22%7D',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ])('runs %s of a format again, with the same target', async (_case, body, headers) => {
    const { target, post, calls, resend } = await makePlace()
    await post(body, `/slack?target=${target}`, headers)
    const [first] = await calls()
    const { call } = await resend(first.id)
    expect(call).toMatchObject({
      status: 200,
      format: 'slack',
      targetID: target,
      createdCount: 1,
      body: first.body,
    })
    expect(call.messages).toEqual(first.messages)
  })

  test('keeps the target of a format, although the body has a field with the name target', async () => {
    const { world, target, post, calls, resend } = await makePlace()
    const body = { content: 'x', target: world.generalGroupID }
    for (const path of [`/discord?target=${target}`, `/discord/webhooks/${target}/x`]) {
      await post(body, path)
      const [first] = await calls()
      expect(first).toMatchObject({ status: 204, targetID: target })
      expect((await resend(first.id)).call).toMatchObject({ status: 204, targetID: target, createdCount: 1 })
    }
  })

  test('keeps the target and the format of the call if the settings of the webhook have changed', async () => {
    const { world, admin, target, post, calls, resend } = await makePlace()
    const set = (settings: object) =>
      admin.ask(mutation('updateWebhook', 'webhook { id }'), {
        input: { webhookID: world.webhook.id, ...settings },
      })
    await set({ defaultTarget: target })
    await post({ text: 'plain', uniqueBy: 'one' })
    const [first] = await calls()
    expect(first).toMatchObject({ format: null, targetID: target, createdCount: 1 })
    await set({ defaultTarget: world.generalGroupID, format: 'slack' })
    const { call } = await resend(first.id)
    expect(call).toEqual({ ...first, id: expect.any(String), createdCount: 0, updatedCount: 1 })
  })

  test('returns a call that fails again, with its problems', async () => {
    const { target, post, calls, resend } = await makePlace()
    await post({ target, text: ' ' })
    const [first] = await calls()
    const { call } = await resend(first.id)
    expect(call).toMatchObject({ status: 400, problems: ['text must not be blank'], body: first.body })
  })

  test('counts against the rate limit of the webhook', async () => {
    const { target, post, calls, resend } = await makePlace(limited)
    await post({ target, text: 'x' })
    const [first] = await calls()
    expect((await resend(first.id)).call).toMatchObject({ status: 429, createdCount: 0 })
  })

  test('is refused without a whole stored body, or for a disabled webhook', async () => {
    const { target, post, calls, resend, world } = await makePlace()
    await post({ target, text: 'x', more: 'y'.repeat(70_000) })
    await post({ target, text: 'x' })
    const [whole, cut] = await calls()
    expect(codesOf(await resend(cut.id))).toEqual(['CONFLICT'])
    await mutated(service, operatorToken, 'disableWebhook', { webhookID: world.webhook.id }, 'webhook { id }')
    const { errors } = await resend(whole.id)
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'WEBHOOK_INACTIVE' })
  })

  test('is refused to managers who cannot see what was sent, and answers others as if the call did not exist', async () => {
    const { post, calls, resend, world, admin } = await makePlace()
    await post({ target: world.privateGroup.id, text: 'hidden' })
    await post({ target: world.publicGroup.id, text: 'shown' })
    const [shown, hidden] = await calls()
    expect(codesOf(await resend(hidden.id))).toEqual(['FORBIDDEN'])
    const member = await signedIn(service, world, 'member')
    expect(codesOf(await resend(shown.id, member.ask))).toEqual(['NOT_FOUND'])
    const stranger = await signedIn(service, await makeWorld(service), 'admin')
    expect(codesOf(await resend(shown.id, stranger.ask))).toEqual(['NOT_FOUND'])
    expect(codesOf(await resend('whc_0', admin.ask))).toEqual(['NOT_FOUND'])
  })
})
