import type { Operation } from '../format.ts'
import { bold, escapeInline, inlineCode } from '../markdown.ts'
import { senderNameOf } from '../sender-name.ts'
import { linkOr, nameOf, shortHash } from './names.ts'

export type Commit = { id: string; message: string; url: string; author: string }

/** A push of commits, or the creation or deletion of a branch or a tag. */
export type Push = {
  keyPrefix: string
  repository: string
  url: string
  ref: string
  before: string
  after: string
  isForced: boolean
  compareURL: string
  sender: string
  /** The last commits. */
  commits: readonly Commit[]
  /** The number of all commits. */
  count: number
}

export const maxListedCommits = 10
const nothing = /^0+$/

/** Writes the message of a push. It has no version, because GitHub and GitLab send a push once. */
export function pushOperation(push: Push): Operation {
  const { keyPrefix, ref, before, after, sender, commits, count } = push
  const listed = commits.slice(-maxListedCommits)
  const items = listed.map(commitLine)
  const hidden = count - listed.length
  if (hidden > 0 && items.length > 0) items.push(`- and ${hidden} more`)
  return {
    ...senderNameOf(sender),
    uniqueBy: `${keyPrefix} ${ref} ${before} ${after}`,
    text: [headOf(push), ...items].join('\n'),
  }
}

function headOf({ repository, url, ref, before, after, isForced, compareURL, count }: Push): string {
  const [, kind, name = ref] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  const what = `${kind === 'tags' ? 'tag' : 'branch'} ${inlineCode(nameOf(name) || '?')}`
  const where = `in ${bold(linkOr(repository, url))}`
  if (nothing.test(after)) return `Deleted the ${what} ${where}`
  const number = `${count} ${count === 1 ? 'commit' : 'commits'}`
  const linked = linkOr(number, compareURL)
  if (nothing.test(before)) return `Created the ${what} ${where}${count > 0 ? ` with ${linked}` : ''}`
  return `${isForced ? 'Force-pushed' : 'Pushed'} ${linked} to the ${what} ${where}`
}

function commitLine({ id, message, url, author }: Commit): string {
  const [first = ''] = message.split('\n', 1)
  const text = escapeInline(nameOf(first))
  const by = author && ` (${escapeInline(nameOf(author))})`
  return `- ${linkOr(shortHash(id), url)} ${text}${by}`
}
