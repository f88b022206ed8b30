import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { templateFields } from '../../../src/apps/webhooks/templates.ts'
import { examples } from '../../../src/console/settings/webhooks/templates/examples.ts'
import { makeWorld, postToWebhook } from '../../support/factories.ts'
import { mutated } from '../../support/mutations.ts'
import { repository } from '../../support/process.ts'
import { operatorToken, startService } from '../../support/service.ts'
import { templatePayloads } from './payloads/template-payloads.ts'
import { writtenBy } from './written-by.ts'

const service = await startService()

describe.each(examples)('$name', ({ name, templates, body }) => {
  test.each(
    templatePayloads.filter(({ example }) => example === name),
  )('writes what it should for $from', async ({ bodies, written }) => {
    const world = await makeWorld(service)
    const input = { webhookID: world.webhook.id, templates }
    await mutated(service, operatorToken, 'updateWebhook', input, 'webhook { id }')
    const path = `${world.webhook.path}/template?target=${world.publicGroup.id}`
    for (const each of bodies) {
      const answer = await postToWebhook(service, path, JSON.stringify(each))
      expect({ status: answer.statusCode, answer: answer.body }).toEqual({ status: 200, answer: answer.body })
      for (const message of answer.json().messages ?? []) expect(message).not.toHaveProperty('ignored')
    }
    expect(await writtenBy(world)).toEqual({ threads: [], ...written })
  })

  test('has fields that exist, and is on the page of the documentation', () => {
    expect(templateFields).toEqual(expect.arrayContaining(Object.keys(templates)))
    const page = readFileSync(join(repository, 'docs/webhooks/template.md'), 'utf8')
    for (const text of [name, ...Object.values(templates), ...(body ? [body] : [])])
      expect(page).toContain(text)
  })
})

test('each example is tested with bodies', () => {
  const tested = new Set(templatePayloads.map(({ example }) => example))
  expect([...tested]).toEqual(examples.map(({ name }) => name))
})
