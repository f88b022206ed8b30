import { cleanText } from '../alerts/alert-text.ts'
import type { Topic } from '../hub/topic.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { oneLine } from '../markdown.ts'

/** Returns the login of a user. The user of a deleted account is null. */
export function loginOf(user: unknown): string {
  return cleanText(fieldsOf(user).login)
}

/** Returns the name of a repository with its owner. */
export function repositoryOf(body: Fields): { name: string; url: unknown } {
  const { full_name, html_url } = fieldsOf(body.repository)
  return { name: cleanText(full_name) || 'a repository', url: html_url }
}

/**
 * Returns the thread of a pull request or an issue, which both count in one sequence of numbers. A repository keeps its ID
 * if it is renamed. `item` is the `pull_request` or the `issue` of the body.
 */
export function topicOf(body: Fields, item: Fields): Topic | undefined {
  const { id, name } = fieldsOf(body.repository)
  const number = cleanText(item.number)
  if (!cleanText(id) || !number) return undefined
  return {
    key: topicKey(id, number),
    subject: oneLine(`${cleanText(name)}#${number} ${cleanText(item.title)}`),
    isClosed: item.state === 'closed',
  }
}

export function topicKey(repositoryID: unknown, number: string): string {
  return `github-${cleanText(repositoryID)}#${number}`
}

export const withoutNumber = { skip: 'The body has no ID of a repository, or no number.' }
