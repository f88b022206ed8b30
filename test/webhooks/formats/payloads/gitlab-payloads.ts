import { expect } from 'vitest'
import {
  build,
  deployment,
  issue,
  mergeRequestHistory,
  note,
  onCommit,
  onMergeRequest,
  pipeline,
  push,
  release,
} from './gitlab-bodies.ts'
import type { Payload } from './payload.ts'

const subject = 'gitlab-test!1 MS-Viewport'
const containing = (text: string) => expect.stringContaining(text)

/** Bodies of GitLab's documentation. */
export const gitlabPayloads: Payload[] = [
  {
    from: 'the whole life of a merge request',
    bodies: mergeRequestHistory,
    written: {
      threads: [{ subject, state: 'ok', isClosed: true }],
      messages: [
        { text: containing('\nMerged · `ms-viewport` → `master`\nLabels: API\n\nScales'), state: 'ok' },
        { text: expect.stringMatching(/^\*\*\[Pipeline #31\].*: success$/), state: 'ok' },
        { text: containing('This MR needs **more** work.'), state: null },
        { text: 'Approved', state: 'ok' },
        { text: containing('Why?'), state: null },
        { text: containing('Good.'), state: null },
        { text: containing('Thank you'), state: null },
      ],
    },
  },
  {
    from: 'an issue that is closed and reopened',
    bodies: [
      issue('open', '2013-12-03T17:15:43Z'),
      issue('close', '2013-12-03 17:16:00 UTC', { state: 'closed' }),
      issue('reopen', '2013-12-03 17:17:00 UTC'),
      issue('close', '2013-12-03 17:16:00 UTC', { state: 'closed' }),
    ],
    written: {
      threads: [
        { subject: 'gitlab-test#23 New API: create/update/delete file', state: null, isClosed: false },
      ],
      messages: [{ text: containing('\nOpen\nLabels: API\n\nCreate new API'), state: null }],
    },
  },
  {
    from: 'a comment on a merge request without a thread, and a pipeline without one',
    bodies: [
      pipeline('success', '2026-01-31 12:00:00 UTC', { merge_request: { iid: 9 } }),
      note(5, '2015-05-17 18:21:36 UTC', 'This MR needs work.', onMergeRequest('merged')),
    ],
    written: {
      threads: [{ subject, state: null, isClosed: true }],
      messages: [{ text: containing('This MR needs work.'), state: null }],
    },
  },
  {
    from: 'a push, a release, a deployment, a failed job and a comment on a commit',
    bodies: [
      push,
      release,
      { ...deployment, status: 'running', status_changed_at: '2021-04-28 21:49:00 +0200' },
      deployment,
      build('created'),
      build('failed'),
      build('failed', { build_id: 1978, build_allow_failure: true }),
      note(6, '2015-05-17 18:08:09 UTC', 'How does this work?', onCommit),
      pipeline('canceled', '2026-01-31 12:00:00 UTC', { merge_request: null }),
    ],
    written: {
      messages: [
        {
          text: expect.stringMatching(/^Pushed \[4 commits\].*\n- \[b6568db\].*\n- .*\n- and 2 more$/),
          state: null,
        },
        { text: expect.stringMatching(/^Release \*\*\[v1.1\].*\n\nv1.1 has been released$/s), state: null },
        { text: expect.stringMatching(/^Deployment of \[279484c0\].*\nAdd new file$/), state: 'ok' },
        { text: expect.stringMatching(/^\*\*\[Job test\].*: failed \(script failure\)$/), state: 'failed' },
        {
          text: expect.stringMatching(/about the commit `cfe32cf` .*\n\nHow does this work\?$/s),
          state: null,
        },
        { text: expect.stringMatching(/: canceled$/), state: 'failed' },
      ],
    },
  },
  {
    from: 'events that become no message',
    bodies: [{ object_kind: 'wiki_page' }, { event_name: 'project_create' }, { object_kind: 'emoji' }, {}],
    written: { messages: [] },
  },
]
