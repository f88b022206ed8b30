import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeWorld, type World } from '../../support/factories.ts'
import { listen } from '../../support/live-service.ts'
import { isTested, jsonFrom } from '../../support/programs.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
const host = `127.0.0.1:${await listen(service)}`
const program = join(import.meta.dirname, 'send-with-apprise.py')
const notifications = [
  { title: 'Backup', body: 'The backup of nas has *started*', notify_type: 'info' },
  { title: 'Backup', body: 'Disk full', notify_type: 'failure' },
  { body: '48 GB', notify_type: 'success' },
]

async function messagesOf({ operator, workspaceID, webhook }: World) {
  const messages = await operator.db.message.findMany({
    where: { workspaceID, authorID: webhook.userID },
    orderBy: { position: 'asc' },
  })
  return messages.map(({ text, state, senderName }) => ({ text, state, senderName }))
}

test.skipIf(!isTested('apprise'))('Apprise sends JSON, and what it would send to Slack', async () => {
  const [ofJSON, ofSlack] = [await makeWorld(service), await makeWorld(service)]
  const jsonURL = `json://${host}${ofJSON.webhook.path}/json?-target=${ofJSON.publicGroup.id}`
  const slackURL = `http://${host}${ofSlack.webhook.path}/slack?target=${ofSlack.publicGroup.id}`
  const urls = [jsonURL, 'slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/']
  // Debian's Python, because another one has its own packages.
  const args = [program, JSON.stringify(urls), slackURL, JSON.stringify(notifications)]
  const answers = (await jsonFrom('/usr/bin/python3', args)) as [number, string][]
  const ok = Array(3).fill([200, 'ok'])
  expect(answers.filter(([, text]) => text === 'ok')).toEqual(ok)
  expect(answers.filter(([, text]) => text !== 'ok')).toEqual(
    Array(3).fill([200, expect.stringContaining('"created":true')]),
  )
  expect(await messagesOf(ofJSON)).toEqual([
    { text: '**Backup**\nThe backup of nas has \\*started\\*', state: null, senderName: null },
    { text: '**Backup**\nDisk full', state: 'failed', senderName: null },
    { text: '48 GB', state: 'ok', senderName: null },
  ])
  expect(await messagesOf(ofSlack)).toEqual([
    { text: expect.stringContaining('The backup of nas has'), state: null, senderName: 'Apprise' },
    { text: expect.stringMatching(/\*\*Backup\*\*\n\nDisk full/), state: 'failed', senderName: 'Apprise' },
    { text: expect.stringContaining('48 GB'), state: 'ok', senderName: 'Apprise' },
  ])
})
