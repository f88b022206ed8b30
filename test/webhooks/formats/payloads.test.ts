import { describe, expect, test } from 'vitest'
import { makeWorld, postToWebhook } from '../../support/factories.ts'
import { startService } from '../../support/service.ts'
import { alertmanagerPayloads } from './payloads/alertmanager-payloads.ts'
import { githubPayloads } from './payloads/github-payloads.ts'
import { gitlabPayloads } from './payloads/gitlab-payloads.ts'
import { grafanaPayloads } from './payloads/grafana-payloads.ts'
import { jsonPayloads } from './payloads/json-payloads.ts'
import type { Payload } from './payloads/payload.ts'
import { slackPayloads } from './payloads/slack-payloads.ts'
import { writtenBy } from './written-by.ts'

const service = await startService()

const payloads: Record<string, Payload[]> = {
  slack: slackPayloads,
  alertmanager: alertmanagerPayloads,
  github: githubPayloads,
  gitlab: gitlabPayloads,
  grafana: grafanaPayloads,
  json: jsonPayloads,
}

describe.each(Object.entries(payloads))('%s', (format, bodiesOfFormat) => {
  test.each(bodiesOfFormat)('writes what it should for $from', async ({ bodies, written }) => {
    const world = await makeWorld(service)
    const path = `${world.webhook.path}/${format}?target=${world.publicGroup.id}`
    for (const body of bodies) {
      const { statusCode, ...answer } = await postToWebhook(service, path, JSON.stringify(body))
      expect({ statusCode, answer: answer.body }).toEqual({ statusCode: 200, answer: answer.body })
    }
    expect(await writtenBy(world)).toEqual({ threads: [], ...written })
  })
})
