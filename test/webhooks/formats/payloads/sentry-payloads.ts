import type { Payload } from './payload.ts'
import { alertBody, issueBody, metricBody, pluginBody } from './sentry-bodies.ts'

const title = 'ReferenceError: total is not defined'
const issueURL = 'https://sentry.example.com/organizations/shop/issues/1170820242/'
const heading = `**[${title}](${issueURL})** (error)\n?(runner)`
const eventText = [
  `**[${title}](${issueURL}events/e4874d664c3540c1a32eab185f12c5ab/)**`,
  '/js/cart.js:31 in sum',
  'Alert: Checkout is broken · Environment: production · Time: 2026-01-31 12:00 UTC',
].join('\n')

/** Bodies with the fields that Sentry documents. The contents are invented. */
export const sentryPayloads: Payload[] = [
  {
    from: 'an issue that is created, assigned and resolved, and comes back',
    bodies: [
      issueBody('created'),
      issueBody('assigned', { assignedTo: { type: 'user', id: '5', name: 'Ada', email: 'ada@example.com' } }),
      issueBody('resolved', { status: 'resolved', substatus: null }),
      issueBody('unresolved', { substatus: 'regressed', count: '2', lastSeen: '2026-01-31T13:00:00Z' }),
    ],
    written: {
      threads: [{ subject: title, state: 'failed', isClosed: false }],
      messages: [
        {
          text: `${heading}\nProject: front-end · Issue: FRONT-END-9 · Events: 2 · Users: 1\nRegressed`,
          state: 'failed',
        },
      ],
    },
  },
  {
    from: 'an issue alert, and the resolution of the issue',
    bodies: [alertBody(), alertBody(), issueBody('resolved', { status: 'resolved', substatus: null })],
    written: {
      threads: [{ subject: title, state: 'ok', isClosed: true }],
      messages: [
        {
          text: `${heading}\nProject: front-end · Issue: FRONT-END-9 · Events: 1 · Users: 1\nResolved`,
          state: 'ok',
        },
        { text: eventText, state: null },
      ],
    },
  },
  {
    from: 'a metric alert that gets worse and is resolved',
    bodies: [metricBody('warning'), metricBody('critical'), metricBody('resolved', { status: 20 })],
    written: {
      threads: [{ subject: 'Too many errors', state: 'ok', isClosed: true }],
      messages: [
        {
          text: [
            '**[Resolved: Too many errors](https://sentry.example.com/organizations/shop/alerts/1/)**',
            '1000 events in the last 10 minutes',
            'Filter: level:error',
            'Projects: front-end · Query: level:error',
          ].join('\n'),
          state: 'ok',
        },
      ],
    },
  },
  {
    from: 'the older plug-in',
    bodies: [pluginBody],
    written: {
      threads: [{ subject: 'The card was refused', state: 'failed', isClosed: false }],
      messages: [
        {
          text: '**[The card was refused](https://sentry.example.com/shop/back-end/issues/541485531/)** (error)\nshop.views in pay\nProject: back-end',
          state: 'failed',
        },
        {
          text: '**[The card was refused](https://sentry.example.com/shop/back-end/issues/541485531/)**\nAlert: New issues · Environment: production · Time: 2026-01-31 12:00 UTC',
          state: null,
        },
      ],
    },
  },
]
