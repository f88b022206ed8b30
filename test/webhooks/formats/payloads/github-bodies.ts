import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Fields = { [name: string]: unknown }

/** Bodies that GitHub sent (npm @octokit/webhooks-examples 7.6.1), without most of their URLs. */
const bodies: Record<string, Fields> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'github-bodies.json'), 'utf8'),
)

/** Returns a body by its event and action, such as `pull_request.opened`. `changes` are merged into it. */
export function githubBody(name: string, changes: Fields = {}): Fields {
  const body = bodies[name]
  if (!body) throw new Error(`There is no body of ${name}`)
  return merged(body, changes)
}

export const githubNames = Object.keys(bodies)

function merged(value: Fields, changes: Fields): Fields {
  const entries = Object.entries(changes).map(([name, change]) => {
    const old = value[name]
    return [name, isFields(old) && isFields(change) ? merged(old, change) : change]
  })
  return { ...value, ...Object.fromEntries(entries) }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const sha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821'
const at = (minute: number, second = 0) =>
  `2019-05-15T15:${String(minute).padStart(2, '0')}:${String(second).padStart(2, '0')}Z`

function pull(action: string, time: string, changes: Fields = {}): Fields {
  return githubBody('pull_request.opened', { action, pull_request: { updated_at: time, ...changes } })
}

function review(login: string, state: string, time: string, changes: Fields = {}): Fields {
  return githubBody('pull_request_review.submitted', {
    ...changes,
    review: { id: time, user: { login }, state, submitted_at: time, body: state },
  })
}

function comment(action: string, time: string, body: string, state = 'open'): Fields {
  return githubBody('issue_comment.created', {
    action,
    issue: { number: 2, title: 'Update the README with new information.', state, pull_request: {} },
    comment: { body, updated_at: time },
  })
}

function suite(id: number, action: string, status: string, conclusion: string | null, time: string): Fields {
  return githubBody('check_suite.completed', {
    action,
    check_suite: { id, status, conclusion, updated_at: time, head_sha: sha, app: { slug: 'github-actions' } },
  })
}

const labels = (...names: string[]) => ({ labels: names.map((name) => ({ name })) })

/** The events of a pull request in their order. Some happen in the same second. */
export const pullRequestHistory: readonly Fields[] = [
  pull('opened', at(0)),
  pull('labeled', at(0), labels('bug')),
  pull('labeled', at(0), labels('bug', 'help wanted')),
  pull('review_requested', at(1), labels('bug', 'help wanted')),
  suite(1, 'requested', 'queued', null, at(1)),
  suite(2, 'requested', 'queued', null, at(1)),
  suite(1, 'completed', 'completed', 'failure', at(2)),
  suite(2, 'completed', 'completed', 'success', at(3)),
  comment('created', at(4), 'This does not build.'),
  comment('edited', at(5), 'This does **not** build.'),
  review('monalisa', 'changes_requested', at(6)),
  pull('synchronize', at(7), { ...labels('bug'), title: 'Update the README' }),
  pull('closed', at(8), { ...labels('bug'), state: 'closed', closed_at: at(8) }),
  pull('reopened', at(9), { ...labels('bug'), state: 'open' }),
  suite(1, 'rerequested', 'completed', 'failure', at(2)),
  suite(1, 'completed', 'completed', 'success', at(11)),
  review('monalisa', 'approved', at(12)),
  review('hubot', 'approved', at(12)),
  review('hubot', 'dismissed', at(12), { action: 'dismissed' }),
  review('monalisa', 'commented', at(13)),
  githubBody('pull_request_review_comment.created', { pull_request: { state: 'open' } }),
  comment('edited', at(14), 'It builds now.', 'open'),
  pull('closed', at(15), {
    ...labels('bug'),
    state: 'closed',
    closed_at: at(15),
    merged_at: at(15),
    merged: true,
  }),
  comment('deleted', at(14), 'It builds now.', 'closed'),
  pull('labeled', at(16), { ...labels('bug', 'done'), state: 'closed', merged_at: at(15), merged: true }),
]

function issue(action: string, time: string, changes: Fields = {}): Fields {
  return githubBody('issues.opened', { action, issue: { updated_at: time, ...changes } })
}

function issueComment(action: string, id: number, time: string, body: string, state = 'open'): Fields {
  return githubBody('issue_comment.created', {
    action,
    issue: { state },
    comment: { id, body, updated_at: time },
  })
}

/** The events of an issue in their order. It is closed in the second in which somebody comments. */
export const issueHistory: readonly Fields[] = [
  issue('opened', at(0)),
  issue('labeled', at(0), labels('bug')),
  issueComment('created', 1, at(1), 'I can reproduce it.'),
  issueComment('edited', 1, at(2), 'I can reproduce it with 2.0.'),
  issue('closed', at(3), { ...labels('bug'), state: 'closed', state_reason: 'completed' }),
  issueComment('created', 2, at(4), 'It is still there.', 'closed'),
  issue('reopened', at(5), labels('bug')),
  issueComment('created', 3, at(6), 'Fixed.'),
  issue('closed', at(6), { ...labels('bug'), state: 'closed', state_reason: 'completed' }),
  issueComment('deleted', 2, at(4), 'It is still there.', 'closed'),
]

/** The events of an issue that a program opens, labels, closes and opens again within three seconds. */
export const quickHistory: readonly Fields[] = [
  issue('opened', at(0, 0)),
  issue('labeled', at(0, 0), labels('bug')),
  issue('labeled', at(0, 0), labels('bug', 'help wanted')),
  issue('closed', at(0, 1), { ...labels('bug', 'help wanted'), state: 'closed' }),
  issueComment('created', 1, at(0, 1), 'Closed, because nobody answers.'),
  issue('reopened', at(0, 2), labels('bug', 'help wanted')),
  issue('labeled', at(0, 2), labels('bug', 'help wanted', 'triage')),
]
