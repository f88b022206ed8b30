import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { type Card, cardOperation, type Stage } from '../hub/card.ts'
import { type Fields, fieldsOf, listOf } from '../json-values.ts'
import { loginOf, topicOf, withoutNumber } from './values.ts'

/** Reads the event `pull_request`. */
export function pullRequest(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.pull_request)
  const isMerged = item.merged === true || cleanText(item.merged_at) !== ''
  const stage = isMerged ? 'merged' : stageOf(item)
  const status = { open: 'Open', closed: 'Closed', merged: 'Merged', gone: 'Deleted' }[stage]
  return cardOf(body, item, settings, { stage, status, branches: branchesOf(item) })
}

/** Reads the event `issues`. */
export function issue(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.issue)
  if (item.pull_request != null) return { skip: 'The event pull_request says the same, and more.' }
  const gone = new Map([
    ['deleted', 'Deleted'],
    ['transferred', 'Moved to another repository'],
  ]).get(cleanText(body.action))
  const reason = cleanText(item.state_reason).replaceAll('_', ' ')
  const isClosed = stageOf(item) === 'closed'
  const status = gone ?? (isClosed ? `Closed${reason && ` as ${reason}`}` : 'Open')
  return cardOf(body, item, settings, { stage: gone ? 'gone' : stageOf(item), status, branches: [] })
}

type Progress = Pick<Card, 'stage' | 'status' | 'branches'>

function cardOf(body: Fields, item: Fields, settings: Settings, progress: Progress): Reading {
  const topic = topicOf(body, item)
  if (!topic) return withoutNumber
  const card = {
    topic,
    title: cleanText(item.title),
    url: cleanText(item.html_url),
    isNew: body.action === 'opened',
    isDraft: item.draft === true,
    author: loginOf(item.user),
    showsAuthor: true,
    labels: listOf(item.labels).map((label) => cleanText(fieldsOf(label).name)),
    description: cleanText(item.body),
    updatedAt: item.updated_at,
    ...progress,
  }
  return { operations: [cardOperation(card, settings)] }
}

function stageOf({ state }: Fields): Stage {
  return state === 'closed' ? 'closed' : 'open'
}

/** Returns the branch that has the changes and the branch that gets them. A branch of a fork has the name of its owner. */
function branchesOf(item: Fields): string[] {
  const [head, base] = [fieldsOf(item.head), fieldsOf(item.base)]
  const isFork = cleanText(fieldsOf(head.repo).id) !== cleanText(fieldsOf(base.repo).id)
  const branches = [cleanText(isFork ? head.label : head.ref) || cleanText(head.ref), cleanText(base.ref)]
  return branches.filter((branch) => branch !== '')
}
