import { isBlankMarkdown } from '../../text/markdown/plain-text.ts'
import { joinBlocks } from './markdown.ts'

/** Joins parts of a message, until they have more than `max` characters. */
export function writeUpTo(max: number, parts: readonly unknown[], write: (part: unknown) => string): string {
  const written: string[] = []
  for (let length = 0, index = 0; index < parts.length && length <= max; index += 1) {
    const markdown = write(parts[index])
    written.push(markdown)
    length += markdown.length
  }
  return joinBlocks(written)
}

// If the first block shows something, the rest does not have to be read.
export function isBlankMessage(markdown: string): boolean {
  const [first = ''] = markdown.split('\n\n', 1)
  return isBlankMarkdown(first) && isBlankMarkdown(markdown)
}
