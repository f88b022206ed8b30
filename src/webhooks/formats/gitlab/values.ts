import { cleanText } from '../alerts/alert-text.ts'
import type { Topic } from '../hub/topic.ts'
import { type Fields, fieldsOf } from '../json-values.ts'
import { oneLine } from '../markdown.ts'

/** Returns the username of a user, or the name if there is no username. */
export function usernameOf(user: unknown): string {
  const { username, name } = fieldsOf(user)
  return cleanText(username) || cleanText(name)
}

export function projectOf({ project }: Fields): { id: string; name: string; url: unknown } {
  const { id, path_with_namespace, name, web_url } = fieldsOf(project)
  return {
    id: cleanText(id),
    name: cleanText(path_with_namespace) || cleanText(name) || 'a project',
    url: web_url,
  }
}

/** `!` is GitLab's sign for merge requests, and `#` for issues, which have sequences of numbers of their own. */
type Sign = '!' | '#'

/** Returns the thread of a merge request or an issue of the project. `item` has its `iid`, title and state. */
export function topicOf(body: Fields, sign: Sign, item: Fields): Topic | undefined {
  const { id, name } = projectOf(body)
  const iid = cleanText(item.iid)
  if (!id || !iid) return undefined
  return {
    key: topicKey(id, sign, iid),
    subject: oneLine(`${name.split('/').at(-1)}${sign}${iid} ${cleanText(item.title)}`),
    isClosed: !isOpen(cleanText(item.state)),
  }
}

/** A merge request is `locked` while it is being merged. */
export function isOpen(state: string): boolean {
  return state !== 'closed' && state !== 'merged'
}

export function topicKey(projectID: string, sign: Sign, iid: string): string {
  return `gitlab-${projectID}${sign}${iid}`
}

export const withoutNumber = { skip: 'The body has no ID of a project, or no iid.' }
