import { expect, test } from 'vitest'
import { makeWorld, postToWebhook, type World } from '../../support/factories.ts'
import { randomNumbers } from '../../support/random-numbers.ts'
import { startService } from '../../support/service.ts'
import { pick, type Random, randomJSON } from './random-json.ts'

const service = await startService()

const seeds = 60
const ofAlerts = [
  ...['status', 'state', 'labels', 'annotations', 'groupLabels', 'commonLabels', 'groupKey', 'externalURL'],
  ...['generatorURL', 'truncatedAlerts', 'fingerprint', 'startsAt', 'orgId', 'values', 'dashboardURL'],
]
const ofSlack = [
  ...['type', 'elements', 'fields', 'accessory', 'style', 'rows', 'options', 'blocks', 'actions', 'color'],
  ...['fallback', 'pretext', 'author_name', 'footer', 'ts', 'indent', 'mrkdwn_in', 'image_url', 'username'],
]
const ofDiscord = [
  ...['content', 'embeds', 'description', 'author', 'name', 'value', 'image', 'timestamp', 'components'],
  ...['accessory', 'items', 'media', 'label', 'payload_json', 'files', 'thread_name', 'poll'],
]
const ofSentry = [
  ...[
    'action',
    'data',
    'issue',
    'event',
    'metric_alert',
    'id',
    'issue_id',
    'status',
    'project',
    'lastSeen',
    'level',
  ],
  ...[
    'exception',
    'stacktrace',
    'frames',
    'alert_rule',
    'assignedTo',
    'triggered_rule',
    'datetime',
    'web_url',
  ],
]
const ofOthers = [
  'text',
  'title',
  'message',
  'url',
  'summary',
  'heartbeat',
  'payload',
  'alerts',
  'attachments',
]
const names = ['', 'constructor', ...ofAlerts, ...ofSlack, ...ofDiscord, ...ofSentry, ...ofOthers] as [
  string,
  ...string[],
]
const texts = [
  'firing',
  'resolved',
  'section',
  'rich_text',
  'rich_text_list',
  'table',
  'down',
  'x'.repeat(500),
]

/** Bodies of each format, with any JSON in their parts. */
const bodies: Record<string, (any: () => unknown) => unknown> = {
  slack: (any) => ({ text: any(), username: any(), blocks: [any(), any()], attachments: [any(), any()] }),
  discord: (any) => ({ content: any(), embeds: [any(), any()], components: [any()], files: [any()] }),
  alertmanager: (any) => ({ status: any(), groupKey: any(), groupLabels: any(), alerts: [any(), any()] }),
  grafana: (any) => ({ orgId: any(), title: any(), message: any(), groupKey: any(), alerts: [any(), any()] }),
  github: (any) => ({ action: any(), repository: any(), sender: any(), pull_request: any(), number: any() }),
  gitlab: (any) => ({ object_kind: 'merge_request', project: any(), user: any(), object_attributes: any() }),
  sentry: (any) => ({
    action: any(),
    data: { [String(any())]: any(), issue: any(), event: any(), metric_alert: any(), triggered_rule: any() },
  }),
  json: (any) => ({ text: any(), title: any(), status: any(), url: any(), other: any() }),
  template: (any) => ({ text: any(), title: any(), status: any(), url: any(), other: any() }),
}
const formats = Object.keys(bodies)

const templates = {
  text: '{{ text }} {{ title | link: url }} {{ body | json | code }} {% for x in body %}{{ x | join }}{% endfor %}',
  threadBy: '{{ title }}',
  uniqueBy: '{{ url }}',
  state: '{{ status }}',
  version: '{{ other }}',
}

async function worldWithTemplates(): Promise<World> {
  const world = await makeWorld(service)
  await world.operator.db.webhook.updateMany({ where: { id: world.webhook.id }, data: { templates } })
  return world
}

const pathOf = ({ webhook, publicGroup }: World, format: string) =>
  `${webhook.path}/${format}?target=${publicGroup.id}`

/** Returns 200, or 400 if the answer says what is wrong. Otherwise returns the whole answer. */
async function outcomeOf(world: World, format: string, body: string, headers = {}): Promise<unknown> {
  const { statusCode, ...answer } = await postToWebhook(service, pathOf(world, format), body, headers)
  const isWord = () => format === 'slack' && ['no_text', 'invalid_payload'].includes(answer.body)
  const isOfDiscord = () => format === 'discord' && [50006, 50035].includes(answer.json().code)
  if (format === 'discord' && statusCode === 204) return 200
  const isClear = () =>
    isWord() || isOfDiscord() || answer.json().errors.every((one: { message: string }) => one.message)
  return statusCode === 200 || (statusCode === 400 && isClear()) ? statusCode : [statusCode, answer.body]
}

test.each(formats)('%s: any JSON becomes messages, a skip or a clear 400', async (format) => {
  const world = await worldWithTemplates()
  const any = (random: Random) => randomJSON(random, { names, texts })
  const outcomes = new Set<unknown>()
  for (let seed = 1; seed <= seeds; seed += 1) {
    const random = randomNumbers(seed)
    const bodyOf = pick(random, [bodies[format], bodies[format], undefined])
    const body = JSON.stringify(bodyOf ? bodyOf(() => any(random)) : any(random))
    const outcome = await outcomeOf(world, format, body)
    expect({ seed, outcome }).toEqual({ seed, outcome: outcome === 400 ? 400 : 200 })
    outcomes.add(outcome)
  }
  expect(outcomes).toContain(200)
})

test.each(
  formats,
)('%s: a body that is no JSON object of the format is a clear 400 or a skip', async (format) => {
  const world = await worldWithTemplates()
  const wrong = [
    '',
    ' ',
    '{',
    'null',
    '[]',
    '5',
    '"text"',
    '{}',
    '{"__proto__":{}}',
    '{"alerts":{}}',
    '\ufeff{}',
  ]
  const outcomes = await Promise.all(wrong.map((body) => outcomeOf(world, format, body)))
  for (const [index, outcome] of outcomes.entries())
    expect({ body: wrong[index], outcome }).toEqual({
      body: wrong[index],
      outcome: outcome === 200 ? 200 : 400,
    })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const forms = ['', 'payload=', 'payload=%7B', 'payload=[]', 'a=b&a=c', '%', 'payload=%00', 'alerts=x']
  for (const body of forms) {
    const outcome = await outcomeOf(world, format, body, form)
    expect({ body, outcome }).toEqual({ body, outcome: outcome === 200 ? 200 : 400 })
  }
})

const nested = (start: string, end: string, depth: number) => start.repeat(depth) + end.repeat(depth)
const deepValues = {
  lists: nested('[', ']', 100_000),
  objects: nested('{"x":', '}', 6000).replace(':}', ':0}'),
  options: nested('{"url":"","options":[', ']}', 6000),
}

test.each(formats)('%s: values that are nested deeply are no failure', async (format) => {
  const world = await worldWithTemplates()
  for (const [kind, deep] of Object.entries(deepValues)) {
    const item = `{"labels":{"x":${deep}},"annotations":{"x":${deep}},"values":{"x":${deep}},"actions":[${deep}]}`
    const blocks = [
      `{"type":"section","text":${deep},"fields":[${deep}],"accessory":${deep}}`,
      `{"type":"actions","elements":[${deep}]}`,
      `{"type":"rich_text","elements":[${deep},{"elements":[${deep}]}]}`,
      `{"type":"table","rows":[[${deep}]]}`,
    ].join()
    const embeds = `"content":"x","embeds":[{"fields":[${deep}]}],"components":[{"components":${deep}}]`
    const data = `"data":{"issue":{"id":"1","title":${deep},"project":${deep}}}`
    const parts = `${embeds},${data},"alerts":[${item}],"blocks":[${blocks}],"attachments":[${item}]`
    const outcome = await outcomeOf(world, format, `{"text":"x","other":${deep},${parts}}`)
    expect({ kind, outcome }).toEqual({ kind, outcome: 200 })
  }
})
