import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { examples } from '../../src/console/settings/webhooks/templates/examples.ts'
import { examplesIn } from '../support/examples.ts'
import { repository } from '../support/process.ts'
import {
  alertmanagerBody,
  diskFull,
  grafanaBody,
  longQueue,
  manyAlerts,
  resolved,
} from '../webhooks/formats/payloads/alert-bodies.ts'
import { pullRequestHistory } from '../webhooks/formats/payloads/github-bodies.ts'
import { mergeRequestHistory } from '../webhooks/formats/payloads/gitlab-bodies.ts'
import { alertBody, issueBody } from '../webhooks/formats/payloads/sentry-bodies.ts'
import { problemsOf } from './page-problems.ts'
import { isUpdating, writeScreenshot } from './screenshots.ts'
import { operate, siteOfFile } from './site.ts'
import { startVisits } from './visits.ts'

const site = siteOfFile()
const visits = startVisits(site)
afterEach(() => visits.end())

/** Returns the body that the first command of a page posts. */
function bodyInPage(format: string): unknown {
  const [command = ''] = examplesIn(readFileSync(join(repository, `docs/webhooks/${format}.md`), 'utf8'))
  return JSON.parse(/ -d '(.*)'$/ms.exec(command)?.[1] ?? '')
}

type PagerDutyBody = { event: object }

function acknowledged({ event }: PagerDutyBody): PagerDutyBody {
  return { event: { ...event, id: '02', event_type: 'incident.acknowledged', agent: { summary: 'Grace' } } }
}

const formats = [
  { format: 'slack', group: 'Deploys', bodies: () => [bodyInPage('slack')] },
  { format: 'discord', group: 'Releases', bodies: () => [bodyInPage('discord')] },
  { format: 'json', group: 'Backups', bodies: () => [bodyInPage('json')] },
  {
    format: 'alertmanager',
    group: 'Alerts of the shop',
    bodies: () => [
      alertmanagerBody([diskFull, ...manyAlerts(1)]),
      alertmanagerBody([resolved(diskFull), ...manyAlerts(1)]),
    ],
  },
  {
    format: 'sentry',
    group: 'Errors of the shop',
    bodies: () => [
      issueBody('created'),
      alertBody({ event_id: 'b2', datetime: '2026-01-31T12:40:00.000000Z', release: 'shop@2.4.0' }),
      issueBody('unresolved', {
        substatus: 'regressed',
        count: '2',
        lastSeen: '2026-01-31T12:40:00.000000Z',
      }),
    ],
  },
  { format: 'grafana', group: 'Alerts of Grafana', bodies: () => [grafanaBody([longQueue])] },
  {
    format: 'github',
    group: 'Changes on GitHub',
    bodies: () => pullRequestHistory.slice(0, 7).toSpliced(5, 1),
  },
  {
    format: 'gitlab',
    group: 'Changes on GitLab',
    bodies: () => mergeRequestHistory.slice(0, 6).toSpliced(4, 1),
  },
  {
    format: 'template',
    group: 'Incidents',
    bodies: () => [bodyInPage('template'), acknowledged(bodyInPage('template') as PagerDutyBody)],
  },
]

// With UPDATE_SCREENSHOTS, also writes the pictures of docs/webhooks.
test.each(formats)('the web app shows what $format sends, also on a phone', async ({
  format,
  group,
  bodies,
}) => {
  const { workspaceID, webhookURL } = site.starter
  const page = await visits.signedInAs('ada', { locale: 'en-GB', timezoneId: 'Europe/London' })
  const made = await operate(site, 'createGroup', { workspaceID, name: group }, 'group { id }')
  const [webhookID] = /wbh_\w+/.exec(webhookURL) ?? []
  const { templates } = examples[0] ?? {}
  await operate(site, 'updateWebhook', { webhookID, templates }, 'webhook { id }')
  let path = `groups/${made.group.id}`
  for (const body of bodies()) {
    const answer = await fetch(`${webhookURL}/${format}?target=${made.group.id}&wait=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status).toBe(200)
    const [, threadID] = /"threadID":"(\w+)"/.exec(await answer.text()) ?? []
    if (threadID && format !== 'json') path = `threads/${threadID}`
  }
  await page.setViewportSize({ width: 1280, height: 520 })
  await page.goto(`${site.home}/${path}`)
  await page.getByRole('article').first().waitFor()
  const problems = await problemsOf(page, `${format}, light`)
  if (isUpdating) {
    await page.waitForLoadState('networkidle')
    await writeScreenshot(page, `format-${format}`, page.getByRole('main'))
  }
  await page.setViewportSize({ width: 390, height: 800 })
  problems.push(...(await problemsOf(page, `${format}, phone`)))
  expect(problems).toEqual([])
})
