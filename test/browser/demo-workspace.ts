import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { ask, change, send } from './ask.ts'
import { operate, type Site } from './site.ts'

/** What the pages of the web app show in the screenshots. */
export type DemoWorkspace = {
  alertID: string
  releaseID: string
  webhookID: string
  appID: string
  endpointID: string
}

const alert = `🔥 **API latency is above 500 ms**
The 95th percentile of \`POST /orders\` has been **812 ms** for 10 minutes.

- Region: \`eu-west\`. Other regions are normal.
- Started with the release \`2026.31.2\`
- [Dashboard](https://grafana.example.com/d/orders) · [Runbook](https://wiki.example.com/runbooks/latency)`

const fix = `It is the new query for the discounts. It has no index:

\`\`\`sql
CREATE INDEX CONCURRENTLY orders_customer_idx
  ON orders (customer_id, created_at);
\`\`\`

The index is building now. The latency is already lower:`

/** Fills the starter workspace with the work of Ada, Grace and Linus, and a webhook for their pipeline. */
export async function seedDemoWorkspace(
  site: Site,
  { ada, grace, receiverURL }: { ada: Page; grace: Page; receiverURL: string },
): Promise<DemoWorkspace> {
  const { workspaceID, groupID: builds, userIDs } = site.starter
  const [, graceID = '', linusID = ''] = userIDs
  await operate(site, 'updateWorkspace', { workspaceID, name: 'Northwind' }, 'workspace { id }')
  const webhook = await operate(
    site,
    'createWebhook',
    { workspaceID, name: 'Build pipeline', description: 'Posts the results of all builds.' },
    'url webhook { id }',
  )
  const post = (message: object) => postTo(webhook.url, { target: builds, ...message })

  const picture = await uploadTo(webhook.url, 'latency.png', await latencyChart(ada))
  const release = await post({
    threadSubject: 'Release 2026.31.2',
    text: '**Build 4812** of `main` passed in 6 min 41 s. 1,204 tests passed, none failed.',
    state: 'ok',
  })
  const inRelease = { target: release.threadID }
  await post({ ...inRelease, text: 'Deploying to **staging** …' })
  await post({
    ...inRelease,
    text: '**Staging** runs `2026.31.2`. Smoke tests: 48 of 48 passed.',
    state: 'ok',
  })
  const reply = (page: Page, threadID: string, text: string) =>
    send(page, site, { threadID, message: { text } })
  await reply(ada, release.threadID, 'Shall we deploy to production before lunch?')
  const yes = await reply(grace, release.threadID, 'Yes. The error budget is fine, and I am on call today.')
  await react(ada, site, yes.messageID, '🚀')

  const alertPost = await post({
    threadSubject: 'Alert: API latency',
    text: alert,
    state: 'failed',
    senderName: 'Grafana',
  })
  await react(ada, site, alertPost.messageID, '👀')
  await react(grace, site, alertPost.messageID, '👀')
  const alertID = alertPost.threadID
  await reply(
    ada,
    alertID,
    `[Grace](skein:${graceID}), you changed the orders last. Do you know what is slow?`,
  )
  const answer = await reply(grace, alertID, fix)
  await post({ target: alertID, text: 'p95 of `POST /orders` in the last hour', attachments: [picture] })
  await react(ada, site, answer.messageID, '🎉')
  await react(grace, site, answer.messageID, '✅')
  const last = await reply(ada, alertID, 'Thank you! I add the index to the checklist for new queries.')
  await markRead(ada, site, last)

  const chat = (page: Page, recipient: string, text: string) =>
    send(page, site, { thread: { recipients: [recipient] }, message: { text } })
  await chat(grace, builds, 'The pipeline now posts here. Reply in its threads, not in this chat.')
  const nice = await chat(ada, builds, 'Nice, that is much quieter than mail. 🎉')
  await markRead(ada, site, nice)
  await chat(grace, site.starter.userIDs[0] ?? '', 'Do you have ten minutes for the review of the index?')
  const dm = await chat(ada, graceID, 'Yes, at **14:00**. I bring coffee.')
  await markRead(ada, site, dm)
  await chat(ada, linusID, 'Welcome back! The nightly build is green again.')

  const app = await operate(
    site,
    'createApp',
    { workspaceID, name: 'Incident bot', redirectURIs: ['https://incidents.example.com/callback'] },
    'clientID',
  )
  const endpointID = await endpointWithDeliveries(site, ada, app.clientID, receiverURL)
  return {
    alertID,
    releaseID: release.threadID,
    webhookID: webhook.webhook.id,
    appID: app.clientID,
    endpointID,
  }
}

async function react(page: Page, site: Site, messageID: string, emoji: string): Promise<void> {
  await change(page, site, 'addReaction', { messageID, emoji })
}

/** Marks the whole thread of a message as read. */
async function markRead(
  page: Page,
  site: Site,
  last: { threadID: string; messageID: string },
): Promise<void> {
  await change(page, site, 'markRead', { threadID: last.threadID, upToMessageID: last.messageID })
}

async function endpointWithDeliveries(site: Site, page: Page, appID: string, url: string): Promise<string> {
  const input = { appID, url, types: ['messageCreated', 'reactionAdded'] }
  const endpoint = await operate(site, 'createEventEndpoint', input, 'eventEndpoint { id }')
  const endpointID = endpoint.eventEndpoint.id
  for (let number = 1; number <= 2; number += 1) {
    await operate(site, 'sendTestEvent', { endpointID }, 'delivery { id }')
  }
  const query = 'query ($id: ID!) { deliveries(endpointID: $id, last: 2) { nodes { status } } }'
  let isPending = true
  while (isPending) {
    const { deliveries } = await ask(page, site, query, { id: endpointID })
    isPending = deliveries.nodes.some(({ status }: { status: string }) => status === 'pending')
  }
  return endpointID
}

async function postTo(url: string, message: object): Promise<{ messageID: string; threadID: string }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as { messageID: string; threadID: string }
}

async function uploadTo(url: string, name: string, bytes: Buffer): Promise<string> {
  const answer = await fetch(`${url}/attachment`, {
    method: 'PUT',
    headers: {
      'content-length': String(bytes.length),
      'content-md5': createHash('md5').update(bytes).digest('base64'),
      'content-type': 'image/png',
      'x-file-name': name,
    },
    body: new Uint8Array(bytes),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { id: string }).id
}

/** Draws a chart of latencies. */
async function latencyChart(page: Page): Promise<Buffer> {
  const values = [240, 250, 610, 790, 812, 805, 812, 640, 420, 300, 260, 245]
  const points = values.map((ms, hour) => `${40 + hour * 46},${120 - ms / 8}`).join(' ')
  const drawing = await page.context().newPage()
  await drawing.setViewportSize({ width: 600, height: 150 })
  await drawing.setContent(`<body style="margin:0"><svg width="600" height="150" font-family="sans-serif" font-size="12">
    <rect width="600" height="150" fill="#fff"/><path d="M40 20H560M40 70H560M40 120H560" stroke="#d8dee4"/>
    <text x="4" y="24">800</text><text x="4" y="74">400</text><text x="4" y="124">0 ms</text>
    <text x="40" y="142">09:00</text><text x="520" y="142">10:00</text>
    <polyline points="${points}" fill="none" stroke="#0b57d0" stroke-width="3" stroke-linejoin="round"/></svg>`)
  const picture = await drawing.screenshot()
  await drawing.close()
  return picture
}
