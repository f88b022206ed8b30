import { expect } from 'vitest'
import type { Payload } from './payload.ts'

/** A body, and the name of the example whose templates read it. */
type TemplatePayload = Payload & { example: string }

const agent = {
  html_url: 'https://acme.pagerduty.example/users/PLH1HKV',
  id: 'PLH1HKV',
  self: 'https://api.pagerduty.example/users/PLH1HKV',
  summary: 'Tenex Engineer',
  type: 'user_reference',
}
const service = { id: 'PF9KMXH', summary: 'API Service', type: 'service_reference' }
const incident = {
  id: 'PGR0VU2',
  type: 'incident',
  self: 'https://api.pagerduty.example/incidents/PGR0VU2',
  html_url: 'https://acme.pagerduty.example/incidents/PGR0VU2',
  number: 2,
  status: 'triggered',
  incident_key: 'd3640fbd41094207a1c11e58e46b1662',
  created_at: '2020-04-09T15:16:27Z',
  title: 'A little *bump* in the road',
  service,
  assignees: [agent],
  priority: { id: 'PSO75BM', summary: 'P1', type: 'priority_reference' },
  urgency: 'high',
  resolve_reason: null,
}
const note = {
  incident: { id: 'PGR0VU2', summary: 'A little *bump* in the road', type: 'incident_reference' },
  id: 'P2LA89X',
  content: 'I sure am glad',
  trimmed: false,
  type: 'incident_note',
}

function pagerDutyEvent(id: string, type: string, data: object = incident) {
  const occurred_at = '2020-10-02T18:45:22.169Z'
  const [resource_type] = type.split('.')
  return { event: { id, event_type: type, resource_type, occurred_at, agent, client: null, data } }
}

const bump = '[A little \\*bump\\* in the road](https://acme.pagerduty.example/incidents/PGR0VU2)'

function jenkinsBuild(phase: string, status: string) {
  const full_url = 'http://localhost:8080/job/asgard/18/'
  const scm = {
    url: 'https://git.example.com/asgard.git',
    branch: 'origin/master',
    commit: 'c6d86dc654b12425e706bcf951adfe5a8627a517',
  }
  const build = { full_url, number: 18, phase, status, url: 'job/asgard/18/', scm, artifacts: {} }
  return { name: 'asgard', url: 'job/asgard/', build }
}

const ofJenkins = '[asgard #18](http://localhost:8080/job/asgard/18/) on `origin/master`'

const user = { accountId: '5b10ac8d82e05b22cc7d4ef5', displayName: 'Ada L.', active: true }
function jiraIssue(status: 'new' | 'done') {
  return {
    id: '99291',
    self: 'https://jira.example.com/rest/api/2/issue/99291',
    key: 'JRA-20002',
    fields: {
      summary: 'I feel the need for speed',
      issuetype: { name: 'Bug' },
      priority: null,
      assignee: null,
      status: { name: status, statusCategory: { id: 2, key: status } },
    },
  }
}
const item = { field: 'status', fieldtype: 'jira', from: '1', fromString: 'Open', to: '5', toString: 'Done' }
const comment = {
  self: 'https://jira.example.com/rest/api/2/issue/10148/comment/252789',
  id: '252789',
  author: user,
  updateAuthor: user,
  body: 'Just in time for _AtlasCamp_!',
}
const jiraTitle = '[JRA-20002 I feel the need for speed](https://jira.example.com/browse/JRA-20002)'
const timestamp = 1_525_698_237_764

/** Bodies with the fields that these senders document. Most contents are invented. */
export const templatePayloads: TemplatePayload[] = [
  {
    example: 'PagerDuty',
    from: 'PagerDuty, an incident from its beginning to its end, the first event twice',
    bodies: [
      pagerDutyEvent('1', 'incident.triggered'),
      pagerDutyEvent('1', 'incident.triggered'),
      pagerDutyEvent('2', 'incident.annotated', note),
      pagerDutyEvent('3', 'incident.resolved', { ...incident, status: 'resolved' }),
      pagerDutyEvent('4', 'service.updated', service),
    ],
    written: {
      threads: [{ subject: 'A little *bump* in the road', state: 'ok', isClosed: true }],
      messages: [
        {
          text: `**Triggered** by Tenex Engineer: ${bump}\nService API Service, urgency high`,
          state: 'failed',
        },
        { text: '**Annotated** by Tenex Engineer: I sure am glad', state: null },
        { text: `**Resolved** by Tenex Engineer: ${bump}\nService API Service, urgency high`, state: 'ok' },
      ],
    },
  },
  {
    example: 'Jenkins',
    from: 'the Notification plugin of Jenkins, a build that starts',
    bodies: [jenkinsBuild('STARTED', 'SUCCESS')],
    written: { messages: [{ text: `${ofJenkins} is running`, state: 'running' }] },
  },
  {
    example: 'Jenkins',
    from: 'the Notification plugin of Jenkins, a build that fails',
    bodies: [
      jenkinsBuild('STARTED', 'SUCCESS'),
      jenkinsBuild('COMPLETED', 'NOT_BUILT'),
      jenkinsBuild('FINALIZED', 'NOT_BUILT'),
    ],
    written: { messages: [{ text: `${ofJenkins}: **not built**`, state: 'failed' }] },
  },
  {
    example: 'Healthchecks',
    from: 'Healthchecks, a check that goes down and up again',
    bodies: [
      { id: '5d17b24f-6dfc', name: 'Nightly "backup"', status: 'down', tags: 'prod db' },
      { id: '5d17b24f-6dfc', name: 'Nightly "backup"', status: 'up', tags: '' },
    ],
    written: {
      threads: [{ subject: 'Nightly "backup"', state: 'ok', isClosed: true }],
      messages: [
        { text: '**Nightly "backup"** is down (prod db)', state: 'failed' },
        { text: '**Nightly "backup"** is up', state: 'ok' },
      ],
    },
  },
  {
    example: 'Jira',
    from: 'Jira, an issue with a comment that is edited',
    bodies: [
      { timestamp, webhookEvent: 'jira:issue_created', user, issue: jiraIssue('new') },
      { timestamp, webhookEvent: 'comment_created', comment, issue: jiraIssue('new') },
      {
        timestamp,
        webhookEvent: 'comment_updated',
        comment: { ...comment, body: 'Edited' },
        issue: jiraIssue('new'),
      },
      {
        timestamp,
        webhookEvent: 'jira:issue_updated',
        issue_event_type_name: 'issue_generic',
        user,
        issue: jiraIssue('done'),
        changelog: { id: '10124', items: [item] },
      },
      { timestamp, webhookEvent: 'jira:issue_updated', user, issue: jiraIssue('done') },
      { timestamp, webhookEvent: 'user_created', user },
    ],
    written: {
      threads: [{ subject: 'JRA-20002 I feel the need for speed', state: null, isClosed: true }],
      messages: [
        { text: `Ada L. created ${jiraTitle}\nBug, no priority, unassigned`, state: null },
        { text: `Ada L. commented on ${jiraTitle}:\nEdited`, state: null },
        { text: expect.stringMatching(/^Ada L\. changed .*\n\n- status: Open → Done$/), state: null },
      ],
    },
  },
]
