import type { Operation, Settings } from '../format.ts'
import { italic, joinBlocks } from '../markdown.ts'
import { markupMarkdown } from '../markup/markup.ts'
import { senderNameOf } from '../sender-name.ts'
import { versionOf } from './version.ts'

/** A text of a person. `head` is the line before it, as Markdown. */
export type Comment = {
  author: string
  head: string
  body: string
  updatedAt: unknown
  isDeleted: boolean
}

/** The version of a comment that was deleted is above that of its last change, which can arrive later. */
const deletedRank = 1

/** Returns what the message of a comment says. A format cannot delete a message. Therefore it loses its text. */
export function commentFields(
  { author, head, body, updatedAt, isDeleted }: Comment,
  { limits }: Settings,
): Pick<Operation, 'text' | 'senderName' | 'version' | 'notify'> {
  if (isDeleted) {
    const version = versionOf(updatedAt, deletedRank)
    return { ...senderNameOf(author), ...version, text: italic('The comment was deleted.'), notify: 'never' }
  }
  const max = Math.floor(Math.min(10_000, limits.textCharacters / 2))
  return {
    ...senderNameOf(author),
    ...versionOf(updatedAt),
    text: joinBlocks([head, markupMarkdown(body, max)]),
  }
}
