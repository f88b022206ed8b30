import { cleanText } from '../alerts/alert-text.ts'
import type { Reading } from '../format.ts'
import { maxListedCommits, pushOperation } from '../hub/push.ts'
import { type Fields, fieldsOf, listOf } from '../json-values.ts'
import { loginOf, repositoryOf } from './values.ts'

/** Reads the event `push`. */
export function push(body: Fields): Reading {
  const { repository, ref, before, after, forced, compare, commits, pusher, sender } = body
  const { name, url } = repositoryOf(body)
  const operation = pushOperation({
    keyPrefix: `push-${cleanText(fieldsOf(repository).id)}`,
    repository: name,
    url: cleanText(url),
    ref: cleanText(ref),
    before: cleanText(before),
    after: cleanText(after),
    isForced: forced === true,
    compareURL: cleanText(compare),
    sender: loginOf(sender) || cleanText(fieldsOf(pusher).name),
    commits: listOf(commits).slice(-maxListedCommits).map(fieldsOf).map(commitOf),
    count: listOf(commits).length,
  })
  return { operations: [operation] }
}

function commitOf({ id, message, url, author }: Fields) {
  const { username, name } = fieldsOf(author)
  return {
    id: cleanText(id),
    message: cleanText(message),
    url: cleanText(url),
    author: cleanText(username) || cleanText(name),
  }
}
