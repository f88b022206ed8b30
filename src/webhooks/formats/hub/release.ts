import type { Operation, Settings } from '../format.ts'
import { bold, inlineCode, joinBlocks } from '../markdown.ts'
import { markupMarkdown } from '../markup/markup.ts'
import { senderNameOf } from '../sender-name.ts'
import { linkOr, nameOf } from './names.ts'

export type Release = {
  key: string
  kind: string
  name: string
  tag: string
  url: string
  repository: { name: string; url: unknown }
  sender: string
  description: string
  isDeleted: boolean
  version: { version?: number }
}

/** Writes the message of a release. */
export function releaseOperation(release: Release, { limits }: Settings): Operation {
  const { key, name, tag, url, sender, description, isDeleted, version } = release
  const title = linkOr(nameOf(name || tag) || '(no name)', isDeleted ? '' : url)
  const tagged = tag && tag !== name ? ` (${inlineCode(nameOf(tag))})` : ''
  const { repository } = release
  const end = isDeleted ? ': deleted' : ''
  const head = `${release.kind} ${bold(title)}${tagged} of ${linkOr(repository.name, repository.url)}${end}`
  const max = Math.floor(Math.min(10_000, limits.textCharacters / 2))
  return {
    ...senderNameOf(sender),
    uniqueBy: key,
    text: joinBlocks([head, isDeleted ? '' : markupMarkdown(description, max)]),
    ...version,
    ...(isDeleted && { notify: 'never' as const }),
  }
}
