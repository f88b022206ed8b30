import { expect } from 'vitest'
import { githubBody, issueHistory, pullRequestHistory } from './github-bodies.ts'
import type { Payload } from './payload.ts'

const pull = 'Hello-World#2 Update the README with new information.'
const issue = 'Hello-World#1 Spelling error in the README file'
const card = (what: string) => ({
  text: expect.stringMatching(new RegExp(`^\\*\\*\\[[^\\]]+\\]\\([^)]+\\)\\*\\*\\n${what}`)),
  state: null,
})

/** Bodies that GitHub sent. */
export const githubPayloads: Payload[] = [
  {
    from: 'a pull request',
    bodies: [githubBody('pull_request.opened'), githubBody('pull_request.opened')],
    written: {
      threads: [{ subject: pull, state: null, isClosed: false }],
      messages: [card('Open · by Codertocat · `changes` → `master`\n\nThis is a pretty simple change')],
    },
  },
  {
    from: 'a pull request that was closed, after which an older event arrives',
    bodies: ['opened', 'closed', 'labeled'].map((action) => githubBody(`pull_request.${action}`)),
    written: {
      threads: [{ subject: pull, state: null, isClosed: true }],
      messages: [card('Closed · by Codertocat · `changes` → `master`')],
    },
  },
  {
    from: 'the whole life of a pull request',
    bodies: pullRequestHistory,
    written: {
      threads: [{ subject: pull, state: 'ok', isClosed: true }],
      messages: [
        { text: expect.stringContaining('\nMerged · by Codertocat'), state: 'ok' },
        { text: expect.stringMatching(/^Checks of .*: success$/), state: 'ok' },
        { text: expect.stringMatching(/^Checks of .*: success$/), state: 'ok' },
        { text: '_The comment was deleted._', state: null },
        { text: expect.stringMatching(/^\[Approved\]\(.*\)\n\napproved$/), state: 'ok' },
        { text: expect.stringMatching(/^\[The review was dismissed\]/), state: 'running' },
        { text: expect.stringMatching(/^\[Reviewed\]\(.*\)\n\ncommented$/), state: null },
        { text: expect.stringMatching(/^\[Commented\]\(.*\) on `README.md`/), state: null },
      ],
    },
  },
  {
    from: 'the whole life of an issue',
    bodies: issueHistory,
    written: {
      threads: [{ subject: issue, state: null, isClosed: true }],
      messages: [
        card('Closed as completed · by Codertocat\nLabels: bug'),
        { text: expect.stringContaining('I can reproduce it with 2.0.'), state: null },
        { text: '_The comment was deleted._', state: null },
        { text: expect.stringContaining('Fixed.'), state: null },
      ],
    },
  },
  {
    from: 'a comment on an issue that has no thread yet',
    bodies: [githubBody('issue_comment.created', { issue: { state: 'closed' } })],
    written: {
      threads: [{ subject: issue, state: null, isClosed: true }],
      messages: [{ text: expect.stringMatching(/^\[Commented\]/), state: null }],
    },
  },
  {
    from: 'checks and a deleted comment without a thread',
    bodies: ['check_suite.completed', 'issue_comment.deleted'].map((name) => githubBody(name)),
    written: { messages: [] },
  },
  {
    from: 'a review, a comment on a line and checks',
    bodies: [
      'pull_request.opened',
      'pull_request_review.submitted',
      'pull_request_review.dismissed',
      'pull_request_review_comment.created',
      'check_suite.completed',
    ].map((name) => githubBody(name)),
    written: {
      threads: [{ subject: pull, state: null, isClosed: false }],
      messages: [
        card('Open'),
        { text: expect.stringMatching(/^\[The review was dismissed\]/), state: 'running' },
        { text: expect.stringContaining('Maybe you should use more emoji on this line.'), state: null },
        { text: expect.stringMatching(/^Checks of \*\*octocoders-linter\*\* for .*: success$/), state: 'ok' },
      ],
    },
  },
  {
    from: 'a push, a release, a deployment, a run and a comment on a commit',
    bodies: [
      'push',
      'release.published',
      'deployment.created',
      'deployment_status.created',
      'workflow_run.completed',
      'commit_comment.created',
    ].map((name) => githubBody(name)),
    written: {
      messages: [
        { text: expect.stringMatching(/^(?:Pushed|Created|Force-pushed) .*Hello-World/), state: null },
        { text: expect.stringMatching(/^Release \*\*\[0.0.1\]/), state: null },
        {
          text: expect.stringMatching(/^Deployment of `master` .* to \*\*production\*\*: success/),
          state: 'ok',
        },
        { text: expect.stringMatching(/^\*\*\[Manually triggered workflow #36\]/), state: 'running' },
        { text: expect.stringContaining('This is a really good change! :+1:'), state: null },
      ],
    },
  },
  {
    from: 'events that become no message',
    bodies: [
      'ping',
      'check_run.completed',
      'star.created',
      'status',
      'discussion.created',
      'workflow_job.queued',
    ].map((name) => githubBody(name)),
    written: { messages: [] },
  },
]
