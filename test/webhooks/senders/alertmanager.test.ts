import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  alertmanagerConfig,
  type PostedAlert,
  program,
  startAlertmanager,
} from '../../support/alertmanager.ts'
import { makeWorld, type World } from '../../support/factories.ts'
import { listen } from '../../support/live-service.ts'
import { repository } from '../../support/process.ts'
import { isTested } from '../../support/programs.ts'
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

describe.skipIf(!isTested(program))('Alertmanager', () => {
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

  test('writes a message for each change through its receiver for Slack', async () => {
    const world = await makeWorld(service)
    const url = `${root}${world.webhook.path}/slack?target=${world.publicGroup.id}`
    const alertmanager = await startAlertmanager(alertmanagerConfig({ slackURL: url }))
    const { workspaceID, webhook, operator } = world
    const query = { where: { workspaceID, authorID: webhook.userID }, orderBy: { position: 'asc' } } as const
    const messages = async () =>
      (await operator.db.message.findMany(query)).map(({ state, senderName, text }) => ({
        state,
        senderName,
        title: /\[(?:FIRING|RESOLVED)[^\]]*\] DiskFull/.exec(text.replaceAll('\\', ''))?.[0],
      }))
    const fires = { state: 'failed', senderName: 'Alertmanager', title: '[FIRING:1] DiskFull' }
    const ends = { state: 'ok', senderName: 'Alertmanager', title: '[RESOLVED] DiskFull' }
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    await expect.poll(messages).toEqual([fires])
    await alertmanager.post([{ ...alert, endsAt: inSeconds(0) }])
    await expect.poll(messages).toEqual([fires, ends])
    await alertmanager.post([{ ...alert, endsAt: inSeconds(2) }])
    await expect.poll(messages).toEqual([fires, ends, fires, ends])
    await alertmanager.post([{ ...alert, endsAt: inSeconds(600) }])
    await expect.poll(messages).toEqual([fires, ends, fires, ends, fires])
  })
})
