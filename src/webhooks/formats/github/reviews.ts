import { cleanText } from '../alerts/alert-text.ts'
import type { Operation, Reading, Settings, State } from '../format.ts'
import { commentFields } from '../hub/comment.ts'
import { linkOr } from '../hub/names.ts'
import { placeIn } from '../hub/topic.ts'
import { versionOf } from '../hub/version.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { loginOf, topicOf, withoutNumber } from './values.ts'

/** What a review says about the pull request. */
type Verdict = { head: string; state: State }

const verdicts = new Map<string, Verdict>([
  ['approved', { head: 'Approved', state: 'ok' }],
  ['changes_requested', { head: 'Requested changes', state: 'failed' }],
  // A state cannot be taken back. The reviewer has to decide again.
  ['dismissed', { head: 'The review was dismissed', state: 'running' }],
])

/**
 * Reads the event `pull_request_review`. The last verdict of a reviewer is one message. A review that only comments changes
 * no verdict, and is a message of its own. Without a text, it consists of comments, which have their own events.
 */
export function review(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.review)
  const topic = topicOf(body, fieldsOf(body.pull_request))
  const [login, id] = [loginOf(item.user) || 'ghost', cleanText(item.id)]
  if (!topic || !id) return withoutNumber
  const word = cleanText(item.state).toLowerCase()
  const verdict = verdicts.get(word)
  const text = cleanText(item.body)
  if (!verdict && text === '') return { skip: 'A review without a text. Its comments have their own events.' }
  const head = linkOr(verdict?.head ?? 'Reviewed', item.html_url)
  const comment = { author: login, head, body: text, updatedAt: item.submitted_at, isDeleted: false }
  const operation: Operation = {
    ...commentFields(comment, settings),
    ...versionOf(item.submitted_at, rankOf(word, body.action)),
    ...placeIn(topic, verdict ? `review-${login}` : `reviewed-${id}`, settings),
    ...(verdict && { state: verdict.state }),
  }
  return { operations: [operation] }
}

// A review keeps its time when it is edited or dismissed.
function rankOf(word: string, action: unknown): number {
  if (word === 'dismissed') return 2
  return action === 'edited' ? 1 : 0
}
