const root = 'https://sentry.example.com'
const actor = { id: 'sentry', name: 'Sentry', type: 'application' }
const installation = { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' }

/** A call about an issue, with the fields that Sentry documents. */
export function issueBody(action: string, fields: Record<string, unknown> = {}) {
  const issue = {
    annotations: [],
    assignedTo: null,
    count: '1',
    culprit: '?(runner)',
    firstSeen: '2026-01-31T12:00:00.391000Z',
    id: '1170820242',
    isPublic: false,
    lastSeen: '2026-01-31T12:00:00.391000Z',
    level: 'error',
    logger: null,
    metadata: { filename: '/runner', type: 'ReferenceError', value: 'total is not defined' },
    numComments: 0,
    permalink: null,
    platform: 'javascript',
    project: { id: '1', name: 'front-end', platform: '', slug: 'front-end' },
    project_url: `${root}/organizations/shop/issues/?project=1`,
    shortId: 'FRONT-END-9',
    status: 'unresolved',
    statusDetails: {},
    substatus: 'new',
    title: 'ReferenceError: total is not defined',
    type: 'error',
    url: `${root}/api/0/organizations/shop/issues/1170820242/`,
    userCount: 1,
    web_url: `${root}/organizations/shop/issues/1170820242/`,
    ...fields,
  }
  return { action, actor, data: { issue }, installation }
}

/** The call of an issue alert. */
export function alertBody(fields: Record<string, unknown> = {}, rule = 'Checkout is broken') {
  const event = {
    contexts: { browser: { name: 'Chrome', type: 'browser', version: '75.0.3770' } },
    culprit: '?(runner)',
    datetime: '2026-01-31T12:00:00.391000Z',
    environment: 'production',
    event_id: 'e4874d664c3540c1a32eab185f12c5ab',
    exception: {
      values: [
        {
          stacktrace: {
            frames: [
              { filename: '/js/prod/runner.min.js', function: null, in_app: false, lineno: 1 },
              { filename: '/js/cart.js', function: 'sum', in_app: true, lineno: 31 },
              { filename: '<anonymous>', function: null, in_app: false, lineno: 3 },
            ],
          },
          type: 'ReferenceError',
          value: 'total is not defined',
        },
      ],
    },
    issue_id: '1170820242',
    issue_url: `${root}/api/0/organizations/shop/issues/1170820242/`,
    level: 'error',
    message: '',
    metadata: { filename: '<anonymous>', type: 'ReferenceError', value: 'total is not defined' },
    project: 1,
    release: null,
    tags: [
      ['browser', 'Chrome 75.0.3770'],
      ['handled', 'no'],
    ],
    timestamp: 1769860800.391,
    title: 'ReferenceError: total is not defined',
    type: 'error',
    url: `${root}/api/0/projects/shop/front-end/events/e4874d664c3540c1a32eab185f12c5ab/`,
    web_url: `${root}/organizations/shop/issues/1170820242/events/e4874d664c3540c1a32eab185f12c5ab/`,
    ...fields,
  }
  return { action: 'triggered', actor, data: { event, triggered_rule: rule }, installation }
}

/** The call of a metric alert. */
export function metricBody(action: string, fields: Record<string, unknown> = {}) {
  const name = 'Too many errors'
  const metric_alert = {
    alert_rule: {
      aggregate: 'count()',
      environment: null,
      id: '7',
      name,
      query: 'level:error',
      triggers: [],
    },
    date_closed: null,
    date_created: '2026-01-31T12:00:00.000000Z',
    date_detected: '2026-01-31T12:00:00.000000Z',
    date_started: '2026-01-31T11:50:00.000000Z',
    id: '4',
    identifier: '1',
    projects: ['front-end'],
    status: 2,
    title: 'Sacred Marmot',
    type: 2,
    ...fields,
  }
  const data = {
    description_text: '1000 events in the last 10 minutes\\nFilter: level:error',
    description_title: `${action[0]?.toUpperCase()}${action.slice(1)}: ${name}`,
    metric_alert,
    web_url: `${root}/organizations/shop/alerts/1/`,
  }
  return { action, actor, data, installation }
}

/** The call of the older plug-in. */
export const pluginBody = {
  id: '541485531',
  project: 'back-end',
  project_name: 'back-end',
  project_slug: 'back-end',
  logger: null,
  level: 'error',
  culprit: 'shop.views in pay',
  message: 'The card was refused',
  url: `${root}/shop/back-end/issues/541485531/`,
  triggering_rules: ['New issues'],
  event: {
    event_id: '0476467adf8f499ea795a48fcc4bf290',
    received: 1769860800,
    timestamp: 1769860800,
    environment: 'production',
    title: 'The card was refused',
    tags: [['server_name', 'web-1']],
  },
}
