import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  alertmanagerConfig,
  hasAlertmanager,
  type PostedAlert,
  startAlertmanager,
} from '../../support/alertmanager.ts'
import { makeWorld, type World } from '../../support/factories.ts'
import { listen } from '../../support/live-service.ts'
import { repository } from '../../support/process.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const root = `http://127.0.0.1:${await listen(service)}`
const alert: PostedAlert = {
  labels: { alertname: 'DiskFull', instance: 'web-1', severity: 'critical' },
  annotations: { summary: 'The disk of web-1 is full', runbook_url: 'https://runbooks.example.com/disk' },
  startsAt: '2026-11-26T10:00:00.000Z',
}

/** Returns a time so many seconds from now. Alertmanager compares it with its clock. */
function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString()
}

/** Returns the threads that the webhook of a world started, with their messages. */
async function threadsOf({ workspaceID, webhook, operator: { db } }: World) {
  const threads = await db.thread.findMany({ where: { workspaceID, startedByID: webhook.userID } })
  return Promise.all(
    threads.map(async ({ id, subject, state, closedAt }) => {
      const messages = await db.message.findMany({ where: { workspaceID, threadID: id } })
      return { subject, state, closedAt, messages: messages.map(({ text, state }) => ({ text, state })) }
    }),
  )
}

const failed = { state: 'failed', text: expect.stringMatching(/^\*\*DiskFull\*\* \(critical\)\nThe disk/) }
const ok = { state: 'ok', text: expect.stringMatching(/^\*\*DiskFull\*\* \(critical\), resolved\nThe disk/) }
const open = { subject: 'DiskFull', state: 'failed', closedAt: null, messages: [failed] }
const closed = { subject: 'DiskFull', state: 'ok', closedAt: expect.any(Date), messages: [ok] }

describe.skipIf(!hasAlertmanager)('Alertmanager', () => {
  test('keeps one message up to date: it fires, is resolved, fires and times out, and fires again', async () => {
    const world = await makeWorld(service)
    const url = `${root}${world.webhook.path}/alertmanager?target=${world.publicGroup.id}`
    const alertmanager = await startAlertmanager(alertmanagerConfig({ webhookURL: url }))
    const threads = () => threadsOf(world)
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    await expect.poll(threads).toEqual([open])
    await alertmanager.post([{ ...alert, endsAt: inSeconds(0) }])
    await expect.poll(threads).toEqual([closed])
    const [first] = await threads()
    await alertmanager.post([{ ...alert, endsAt: inSeconds(2) }])
    const isClosedAnew = (closedAt: Date | null) => closedAt !== null && closedAt > (first?.closedAt ?? 0)
    const reclosed = async () => (await threads()).map(({ closedAt }) => isClosedAnew(closedAt))
    await expect.poll(reclosed).toEqual([true])
    expect(await threads()).toEqual([closed])
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    await expect.poll(threads).toEqual([open])
  })

  test('writes one message for each alert of a group, and closes the thread when the last is resolved', async () => {
    const world = await makeWorld(service)
    const url = `${root}${world.webhook.path}/alertmanager?target=${world.publicGroup.id}`
    const alertmanager = await startAlertmanager(alertmanagerConfig({ webhookURL: url }))
    const others = ['web-2', 'web-3'].map((instance) => ({ ...alert, labels: { ...alert.labels, instance } }))
    const post = (alerts: PostedAlert[], seconds: number) =>
      alertmanager.post(alerts.map((one) => ({ ...one, endsAt: inSeconds(seconds) })))
    await post([alert, ...others], 600)
    const statesOf = async () => {
      const [thread] = await threadsOf(world)
      return [thread?.state, thread?.closedAt === null, thread?.messages.map(({ state }) => state).toSorted()]
    }
    await expect.poll(statesOf).toEqual(['failed', true, ['failed', 'failed', 'failed']])
    await post([alert], 0)
    await expect.poll(statesOf).toEqual(['failed', true, ['failed', 'failed', 'ok']])
    await post(others, 0)
    await expect.poll(statesOf).toEqual(['ok', false, ['ok', 'ok', 'ok']])
  })

  test('accepts the configuration of the documentation', async () => {
    const world = await makeWorld(service)
    const page = readFileSync(join(repository, 'docs/webhooks/alertmanager.md'), 'utf8')
    const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
    const config = example
      .replace('WEBHOOK_URL', root + world.webhook.path)
      .replace('GROUP_ID', world.publicGroup.id)
      .replace('group_wait: 30s', 'group_wait: 0s')
    const alertmanager = await startAlertmanager(config)
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    await expect.poll(() => threadsOf(world)).toEqual([open])
  })

  test('writes through its receiver for Slack, too', async () => {
    const world = await makeWorld(service)
    const url = `${root}${world.webhook.path}/slack?target=${world.publicGroup.id}`
    const alertmanager = await startAlertmanager(alertmanagerConfig({ slackURL: url }))
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    const { workspaceID, webhook, operator } = world
    const where = { workspaceID, authorID: webhook.userID }
    await expect
      .poll(() => operator.db.message.findMany({ where }))
      .toEqual([expect.objectContaining({ text: expect.stringContaining('DiskFull') })])
  })
})
