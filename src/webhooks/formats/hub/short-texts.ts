import type { Operation, Reading, Settings } from '../format.ts'
import { shortenMarkdown } from '../shorten.ts'

/** Shortens the texts of a reading, because the names and links in them can together be too long. */
export function withShortTexts(reading: Reading, { limits }: Settings): Reading {
  if ('skip' in reading) return reading
  const [first, ...others] = reading.operations
  const short = (operation: Operation) => ({
    ...operation,
    text: shortenMarkdown(operation.text, limits.textCharacters),
  })
  return { operations: [short(first), ...others.map(short)] }
}
