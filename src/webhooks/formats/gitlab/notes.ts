import { cleanText } from '../alerts/alert-text.ts'
import type { Reading, Settings } from '../format.ts'
import { commentFields } from '../hub/comment.ts'
import { linkOr, nameOf, shortHash } from '../hub/names.ts'
import { placeIn } from '../hub/topic.ts'
import { type Fields, fieldsOf, isObject } from '../json-values.ts'
import { escapeInline, inlineCode } from '../markdown.ts'
import { projectOf, topicOf, usernameOf, withoutNumber } from './values.ts'

/** Reads a comment on a merge request, an issue, a commit or a snippet. The last two have no thread. */
export function note(body: Fields, settings: Settings): Reading {
  const item = fieldsOf(body.object_attributes)
  const id = cleanText(item.id)
  if (!id) return { skip: 'The body has no ID of a comment.' }
  if (item.system === true) return { skip: 'GitLab itself wrote the comment.' }
  const { merge_request, issue } = body
  const isOnItem = isObject(merge_request) || isObject(issue)
  const head = linkOr('Commented', item.url) + (isOnItem ? fileOf(item) : aboutOf(body))
  const comment = {
    author: usernameOf(body.user),
    head,
    body: cleanText(item.note),
    updatedAt: item.updated_at,
    isDeleted: false,
  }
  const fields = commentFields(comment, settings)
  if (!isOnItem) return { operations: [{ ...fields, uniqueBy: `gitlab-comment-${id}` }] }
  const topic = isObject(merge_request)
    ? topicOf(body, '!', merge_request)
    : topicOf(body, '#', fieldsOf(issue))
  return topic ? { operations: [{ ...fields, ...placeIn(topic, `comment-${id}`, settings) }] } : withoutNumber
}

/** Returns the file of a comment on a diff. */
function fileOf({ position }: Fields): string {
  const { new_path, old_path, new_line } = fieldsOf(position)
  const file = nameOf(new_path) || nameOf(old_path)
  const line = escapeInline(nameOf(new_line))
  return file && ` on ${inlineCode(file)}${line && `, line ${line}`}`
}

function aboutOf(body: Fields): string {
  const { name, url } = projectOf(body)
  const project = linkOr(name, url)
  const [commit, snippet] = [fieldsOf(body.commit), fieldsOf(body.snippet)]
  const sha = shortHash(commit.id)
  if (sha) return ` about the commit ${inlineCode(sha)} of ${project}`
  const title = nameOf(snippet.title)
  return title ? ` about the snippet ${linkOr(title, snippet.url)} of ${project}` : ` in ${project}`
}
