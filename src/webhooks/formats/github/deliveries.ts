import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { linkOr, nameOf } from '../hub/names.ts'
import { outcomeOf, stateFields } from '../hub/outcome.ts'
import { releaseOperation } from '../hub/release.ts'
import { versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { bold, escapeInline, inlineCode, joinLines, oneLine } from '../markdown.ts'
import { senderNameOf } from '../sender-name.ts'
import { shorten } from '../shorten.ts'
import { loginOf, repositoryOf } from './values.ts'

const releaseActions = ['created', 'published', 'prereleased', 'released', 'edited', 'unpublished', 'deleted']

/** Reads the event `release`. */
export function release(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.release)
  const id = cleanText(item.id)
  if (!id) return { skip: 'The body has no ID of a release.' }
  const action = cleanText(body.action)
  const kind = item.draft === true ? 'Draft' : item.prerelease === true ? 'Pre-release' : 'Release'
  const operation = releaseOperation(
    {
      key: `release-${id}`,
      kind,
      name: cleanText(item.name),
      tag: cleanText(item.tag_name),
      url: cleanText(item.html_url),
      repository: repositoryOf(body),
      sender: loginOf(item.author),
      description: cleanText(item.body),
      isDeleted: action === 'deleted',
      version: versionOf(
        item.updated_at ?? item.published_at ?? item.created_at,
        Math.max(0, releaseActions.indexOf(action)),
      ),
    },
    settings,
  )
  return { operations: [operation] }
}

/** Reads the events `deployment` and `deployment_status`. */
export function deployment(body: Fields, settings: Settings): Reading {
  const [item, status] = [fieldsOf(body.deployment), fieldsOf(body.deployment_status)]
  const id = cleanText(item.id)
  if (!id) return { skip: 'The body has no ID of a deployment.' }
  const word = cleanText(status.state) || 'created'
  if (word === 'inactive') return { skip: 'A later deployment has replaced this one.' }
  const { rank, word: shown } = outcomeOf(word)
  const { name, url } = repositoryOf(body)
  const log = cleanText(status.log_url) || cleanText(status.target_url)
  const environment = bold(linkOr(nameOf(item.environment) || '?', status.environment_url))
  const head = `Deployment of ${inlineCode(nameOf(item.ref) || '?')} in ${linkOr(name, url)} to ${environment}: ${linkOr(shown, log)}`
  const description = cleanText(status.description) || cleanText(item.description)
  const operation = {
    ...senderNameOf(loginOf(item.creator)),
    uniqueBy: `deployment-${id}`,
    text: joinLines([head, escapeInline(shorten(oneLine(description), 500))]),
    ...versionOf(status.updated_at ?? item.created_at, rank),
    ...stateFields(word, settings),
  }
  return { operations: [operation] }
}

/** Reads the event `workflow_run`. */
export function workflowRun(body: Fields, settings: Settings): Reading {
  const run = fieldsOf(body.workflow_run)
  const id = cleanText(run.id)
  if (!id) return { skip: 'The body has no ID of a workflow run.' }
  const word = cleanText(run.conclusion) || cleanText(run.status)
  const { rank, word: shown } = outcomeOf(word)
  const { name, url } = repositoryOf(body)
  const title = `${nameOf(run.name) || 'Workflow'} #${cleanText(run.run_number)}`
  const head = `${bold(linkOr(title, run.html_url))} of ${inlineCode(nameOf(run.head_branch) || '?')} in ${linkOr(name, url)}: ${escapeInline(shown)}`
  const operation = {
    ...senderNameOf(loginOf(run.actor)),
    uniqueBy: `run-${id}`,
    text: joinLines([head, escapeInline(nameOf(run.display_title))]),
    ...versionOf(run.updated_at, rank),
    ...stateFields(word, settings),
  }
  return { operations: [operation] }
}
