type Fields = { [name: string]: unknown }

// The values are those of GitLab's documentation.
const user = { id: 1, name: 'Administrator', username: 'root', email: 'admin@example.com' }
const project = {
  id: 1,
  name: 'Gitlab Test',
  description: 'Aut reprehenderit ut est.',
  web_url: 'http://example.com/gitlabhq/gitlab-test',
  namespace: 'GitlabHQ',
  visibility_level: 20,
  path_with_namespace: 'gitlabhq/gitlab-test',
  default_branch: 'master',
}
const label = { id: 206, title: 'API', color: '#ffffff', project_id: 14, type: 'ProjectLabel', group_id: 41 }

export function mergeRequest(action: string, updatedAt: string, changes: Fields = {}): Fields {
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user,
    project,
    object_attributes: {
      id: 99,
      iid: 1,
      target_branch: 'master',
      source_branch: 'ms-viewport',
      source_project_id: 14,
      author_id: 1,
      title: 'MS-Viewport',
      created_at: '2013-12-03T17:23:34Z',
      updated_at: updatedAt,
      state: 'opened',
      work_in_progress: false,
      draft: false,
      merge_status: 'unchecked',
      target_project_id: 14,
      description: 'Scales the page on phones.',
      url: 'http://example.com/gitlabhq/gitlab-test/merge_requests/1',
      action,
      ...changes,
    },
    labels: [label],
    changes: {},
    repository: { name: 'Gitlab Test', url: 'http://example.com/gitlabhq/gitlab-test.git' },
    assignees: [{ id: 6, name: 'User1', username: 'user1' }],
    reviewers: [{ id: 6, name: 'User1', username: 'user1' }],
  }
}

export function issue(action: string, updatedAt: string, changes: Fields = {}): Fields {
  return {
    object_kind: 'issue',
    event_type: 'issue',
    user,
    project,
    object_attributes: {
      id: 301,
      title: 'New API: create/update/delete file',
      author_id: 51,
      project_id: 14,
      created_at: '2013-12-03T17:15:43Z',
      updated_at: updatedAt,
      description: 'Create new API for manipulations with repository',
      confidential: false,
      type: 'Issue',
      iid: 23,
      url: 'http://example.com/diaspora/issues/23',
      state: 'opened',
      action,
      ...changes,
    },
    labels: [label],
    changes: {},
  }
}

/** A comment. `on` has the merge request, the issue, the commit or the snippet. */
export function note(id: number, updatedAt: string, text: string, on: Fields): Fields {
  return {
    object_kind: 'note',
    event_type: 'note',
    user,
    project_id: 1,
    project,
    object_attributes: {
      id,
      note: text,
      author_id: 1,
      created_at: '2015-05-17 18:08:09 UTC',
      updated_at: updatedAt,
      project_id: 1,
      line_code: null,
      commit_id: '',
      system: false,
      action: 'create',
      url: `http://example.com/gitlabhq/gitlab-test/merge_requests/1#note_${id}`,
    },
    ...on,
  }
}

export const onMergeRequest = (state = 'opened') => ({
  merge_request: { id: 7, iid: 1, title: 'MS-Viewport', state, source_branch: 'ms-viewport' },
})

export const onCommit = {
  commit: {
    id: 'cfe32cf61b73a0d5e9f13e774abde7ff789b1660',
    message: 'Add submodule\n\nSigned-off-by: Example User <user@example.com>\n',
    timestamp: '2014-02-27T10:06:20+02:00',
    url: 'http://example.com/gitlabhq/gitlab-test/commit/cfe32cf61b73a0d5e9f13e774abde7ff789b1660',
  },
}

const job = { id: 377, stage: 'test', name: 'test-image', status: 'success', allow_failure: false }

/** A pipeline of merge request 1. `changedAt` is the time at which its last job changed. */
export function pipeline(status: string, changedAt: string, changes: Fields = {}): Fields {
  return {
    object_kind: 'pipeline',
    object_attributes: {
      id: 31,
      iid: 3,
      ref: 'master',
      tag: false,
      sha: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2',
      source: 'merge_request_event',
      status,
      created_at: '2016-08-12 15:23:28 UTC',
      finished_at: null,
      url: 'http://example.com/gitlabhq/gitlab-test/-/pipelines/31',
    },
    merge_request: { id: 1, iid: 1, title: 'MS-Viewport', target_project_id: 1, state: 'opened' },
    user,
    project,
    builds: [
      { ...job, created_at: '2016-08-12 15:23:28 UTC', started_at: null, finished_at: changedAt },
      {
        ...job,
        id: 378,
        name: 'test-build',
        status: status === 'failed' ? 'failed' : 'created',
        created_at: '2016-08-12 15:23:28 UTC',
        started_at: null,
        finished_at: null,
      },
    ],
    ...changes,
  }
}

export function build(status: string, changes: Fields = {}): Fields {
  return {
    object_kind: 'build',
    ref: 'gitlab-script-trigger',
    tag: false,
    sha: '2293ada6b400935a1378653304eaf6221e0fdb8f',
    build_id: 1977,
    build_name: 'test',
    build_stage: 'test',
    build_status: status,
    build_created_at: '2021-02-23T02:41:37.886Z',
    build_allow_failure: false,
    build_failure_reason: 'script_failure',
    pipeline_id: 2366,
    project_id: 380,
    user: { id: 3, name: 'User', email: 'user@gitlab.example.com' },
    project,
    ...changes,
  }
}

export const push = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/master',
  user_name: 'John Smith',
  user_username: 'jsmith',
  project,
  commits: [
    {
      id: 'b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
      message: 'Update Catalan translation to e38cb41.\n\nSee https://gitlab.com/gitlab-org/gitlab',
      url: 'http://example.com/mike/diaspora/commit/b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327',
      author: { name: 'Jordi Mallach', email: 'jordi@example.com' },
    },
    {
      id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      message: 'fixed readme',
      url: 'http://example.com/mike/diaspora/commit/da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
      author: { name: 'GitLab dev user', email: 'dev@example.com' },
    },
  ],
  total_commits_count: 4,
}

export const release = {
  id: 1,
  created_at: '2020-11-02 12:55:12 UTC',
  description: 'v1.1 has been released',
  name: 'v1.1',
  released_at: '2020-11-02 12:55:12 UTC',
  tag: 'v1.1',
  object_kind: 'release',
  project,
  url: 'https://example.com/gitlabhq/gitlab-test/-/releases/v1.1',
  action: 'create',
  commit: { id: 'ee0a3fb31ac16e11b9dbb596ad16d4af654d08f8', author: { name: 'Example User' } },
}

export const deployment = {
  object_kind: 'deployment',
  status: 'success',
  status_changed_at: '2021-04-28 21:50:00 +0200',
  deployment_id: 15,
  deployable_id: 796,
  deployable_url: 'http://example.com/gitlabhq/gitlab-test/-/jobs/796',
  environment: 'staging',
  environment_external_url: 'https://staging.example.com',
  project,
  short_sha: '279484c0',
  user,
  commit_url: 'http://example.com/gitlabhq/gitlab-test/-/commit/279484c09fbe69ededfced8c1bb6e6d24616b468',
  commit_title: 'Add new file',
}

const at = (minute: number) => `2026-01-31 12:${String(minute).padStart(2, '0')}:00 UTC`

/** The events of a merge request in their order. */
export const mergeRequestHistory: readonly Fields[] = [
  mergeRequest('open', '2026-01-31T12:00:00Z'),
  mergeRequest('update', at(1), { draft: true, title: 'Draft: MS-Viewport' }),
  pipeline('pending', at(1)),
  pipeline('running', at(2)),
  note(1, at(3), 'This MR needs work.', onMergeRequest()),
  pipeline('failed', at(4)),
  note(1, at(5), 'This MR needs **more** work.', onMergeRequest()),
  mergeRequest('approved', at(6)),
  mergeRequest('unapproved', at(7)),
  mergeRequest('close', at(8), { state: 'closed' }),
  note(2, at(8), 'Why?', onMergeRequest('closed')),
  mergeRequest('reopen', at(9)),
  pipeline('running', at(10)),
  pipeline('success', at(11)),
  mergeRequest('approval', at(12)),
  note(3, at(13), 'Good.', onMergeRequest()),
  mergeRequest('merge', at(13), { state: 'merged' }),
  note(4, at(14), 'Thank you', onMergeRequest('merged')),
]
