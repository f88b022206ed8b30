import { cleanText } from '../alerts/alert-text.ts'
import type { Operation, Reading, Settings } from '../format.ts'
import { type Card, cardOperation } from '../hub/card.ts'
import { placeIn, type Topic } from '../hub/topic.ts'
import { versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf, listOf } from '../json-values.ts'
import { senderNameOf } from '../sender-name.ts'
import { isOpen, topicOf, usernameOf, withoutNumber } from './values.ts'

/** Reads a merge request. An approval is a message of the approver, too. */
export function mergeRequest(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.object_attributes)
  const topic = topicOf(body, '!', item)
  if (!topic) return withoutNumber
  const branches = [cleanText(item.source_branch), cleanText(item.target_branch)]
  const card = cardOf(
    body,
    topic,
    branches.filter((branch) => branch !== ''),
  )
  const approval = approvalOf(body, topic, settings)
  return { operations: [cardOperation(card, settings), ...(approval ? [approval] : [])] }
}

/** Reads an issue, or another work item. */
export function issue(body: Fields, settings: Settings): Reading {
  const topic = topicOf(body, '#', fieldsOf(body.object_attributes))
  return topic ? { operations: [cardOperation(cardOf(body, topic, []), settings)] } : withoutNumber
}

function cardOf(body: Fields, topic: Topic, branches: readonly string[]): Card {
  const item = fieldsOf(body.object_attributes)
  const state = cleanText(item.state)
  const stage = isOpen(state) ? 'open' : state === 'merged' ? 'merged' : 'closed'
  return {
    topic,
    title: cleanText(item.title),
    url: cleanText(item.url),
    stage,
    status: { open: 'Open', closed: 'Closed', merged: 'Merged' }[stage],
    isNew: item.action === 'open',
    isDraft: item.draft === true || item.work_in_progress === true,
    author: authorOf(body, item),
    showsAuthor: false,
    labels: listOf(body.labels ?? item.labels).map((label) => cleanText(fieldsOf(label).title)),
    branches,
    description: cleanText(item.description),
    updatedAt: item.updated_at,
  }
}

/** The body has only the ID of the author. The name is known if the author is one of the people of the event. */
function authorOf({ user, assignees, reviewers }: Fields, { author_id }: Fields): string {
  const people = [user, ...listOf(assignees).slice(0, 100), ...listOf(reviewers).slice(0, 100)]
  const author = people.find((person) => author_id != null && fieldsOf(person).id === author_id)
  return usernameOf(author)
}

const approvals = new Map([
  ['approved', { text: 'Approved', state: 'ok' }],
  ['approval', { text: 'Approved', state: 'ok' }],
  // A state cannot be taken back. The reviewer has to decide again.
  ['unapproved', { text: 'Took the approval back', state: 'running' }],
  ['unapproval', { text: 'Took the approval back', state: 'running' }],
] as const)

function approvalOf(body: Fields, topic: Topic, settings: Settings): Operation | undefined {
  const { action, updated_at } = fieldsOf(body.object_attributes)
  const approval = approvals.get(cleanText(action) as 'approved')
  const user = usernameOf(body.user)
  if (!approval || !user) return undefined
  return {
    ...approval,
    ...placeIn(topic, `review-${user}`, settings),
    ...senderNameOf(user),
    ...versionOf(updated_at),
  }
}
