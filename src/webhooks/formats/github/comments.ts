import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { commentFields } from '../hub/comment.ts'
import { linkOr, nameOf, shortHash } from '../hub/names.ts'
import { placeIn } from '../hub/topic.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { escapeInline, inlineCode } from '../markdown.ts'
import { loginOf, repositoryOf, topicOf, withoutNumber } from './values.ts'

/** Reads the event `issue_comment`, which is also about pull requests. */
export function issueComment(body: Fields, settings: Settings): Reading {
  return commentOf(body, fieldsOf(body.issue), settings, 'comment')
}

/** Reads the event `pull_request_review_comment`, which is about lines of a file. */
export function reviewComment(body: Fields, settings: Settings): Reading {
  return commentOf(body, fieldsOf(body.pull_request), settings, 'line-comment')
}

function commentOf(body: Fields, item: Fields, settings: Settings, kind: string): Reading {
  const topic = topicOf(body, item)
  const comment = fieldsOf(body.comment)
  if (!topic || !cleanText(comment.id)) return withoutNumber
  const isDeleted = body.action === 'deleted'
  const fields = commentFields({ ...readComment(comment, lineOf(comment)), isDeleted }, settings)
  const place = placeIn(topic, `${kind}-${cleanText(comment.id)}`, settings)
  return { operations: [{ ...fields, ...place, ...(isDeleted && { onlyInThread: true }) }] }
}

/** Reads the event `commit_comment`. A commit has no thread. */
export function commitComment(body: Fields, settings: Settings): Reading {
  const comment = fieldsOf(body.comment)
  const commit = shortHash(comment.commit_id)
  if (!commit || !cleanText(comment.id)) return { skip: 'A comment that is not about a commit.' }
  const { name, url } = repositoryOf(body)
  const about = `about the commit ${inlineCode(commit)} of ${linkOr(name, url)}`
  const fields = commentFields({ ...readComment(comment, about), isDeleted: false }, settings)
  return { operations: [{ ...fields, uniqueBy: `commit-comment-${cleanText(comment.id)}` }] }
}

function readComment(comment: Fields, about: string) {
  const { user, body, html_url, updated_at } = comment
  const head = `${linkOr('Commented', html_url)}${about && ` ${about}`}`
  return { author: loginOf(user), head, body: cleanText(body), updatedAt: updated_at }
}

function lineOf({ path, line, original_line }: Fields): string {
  const file = nameOf(path)
  const number = nameOf(line) || nameOf(original_line)
  return file && `on ${inlineCode(file)}${number && `, line ${escapeInline(number)}`}`
}
