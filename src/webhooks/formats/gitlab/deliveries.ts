import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { linkOr, nameOf } from '../hub/names.ts'
import { outcomeOf, stateFields } from '../hub/outcome.ts'
import { maxListedCommits, pushOperation } from '../hub/push.ts'
import { releaseOperation } from '../hub/release.ts'
import { versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf, listOf } from '../json-values.ts'
import { bold, escapeInline, joinLines } from '../markdown.ts'
import { senderNameOf } from '../sender-name.ts'
import { projectOf, usernameOf } from './values.ts'

/** Reads a push of commits or of a tag. */
export function push(body: Fields): Reading {
  const { id, name, url } = projectOf(body)
  const [before, after] = [cleanText(body.before), cleanText(body.after)]
  const commits = listOf(body.commits)
  const operation = pushOperation({
    keyPrefix: `gitlab-push-${id}`,
    repository: name,
    url: cleanText(url),
    ref: cleanText(body.ref),
    before,
    after,
    isForced: false,
    compareURL: `${cleanText(url)}/-/compare/${encodeURIComponent(before)}...${encodeURIComponent(after)}`,
    sender: cleanText(body.user_username) || cleanText(body.user_name),
    commits: commits.slice(-maxListedCommits).map(fieldsOf).map(commitOf),
    count: Math.max(commits.length, Number(cleanText(body.total_commits_count)) || 0),
  })
  return { operations: [operation] }
}

function commitOf({ id, message, url, author }: Fields) {
  return {
    id: cleanText(id),
    message: cleanText(message),
    url: cleanText(url),
    author: cleanText(fieldsOf(author).name),
  }
}

const releaseActions = ['create', 'update', 'delete']

/** Reads a release. */
export function release(body: Fields, settings: Settings): Reading {
  const { id, ...repository } = projectOf(body)
  const tag = cleanText(body.tag)
  if (!id || !tag) return { skip: 'The body has no ID of a project, or no tag of a release.' }
  const action = cleanText(body.action)
  const operation = releaseOperation(
    {
      key: `gitlab-release-${id}-${tag}`,
      kind: 'Release',
      name: cleanText(body.name),
      tag,
      url: cleanText(body.url),
      repository,
      sender: cleanText(fieldsOf(fieldsOf(body.commit).author).name),
      description: cleanText(body.description),
      isDeleted: action === 'delete',
      version: versionOf(body.created_at, Math.max(0, releaseActions.indexOf(action))),
    },
    settings,
  )
  return { operations: [operation] }
}

/** Reads a deployment. */
export function deployment(body: Fields, settings: Settings): Reading {
  const id = cleanText(body.deployment_id)
  if (!id) return { skip: 'The body has no ID of a deployment.' }
  const word = cleanText(body.status)
  const { rank, word: shown } = outcomeOf(word)
  const { name, url } = projectOf(body)
  const environment = bold(linkOr(nameOf(body.environment) || '?', body.environment_external_url))
  const commit = linkOr(nameOf(body.short_sha) || '?', body.commit_url)
  const status = linkOr(shown, body.deployable_url)
  const operation = {
    ...senderNameOf(usernameOf(body.user)),
    uniqueBy: `gitlab-deployment-${id}`,
    text: joinLines([
      `Deployment of ${commit} in ${linkOr(name, url)} to ${environment}: ${status}`,
      escapeInline(nameOf(body.commit_title)),
    ]),
    ...versionOf(body.status_changed_at, rank),
    ...stateFields(word, settings),
  }
  return { operations: [operation] }
}
