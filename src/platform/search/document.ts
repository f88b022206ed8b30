import { wordsIn } from './words.ts'

/** PostgreSQL keeps at most 1 MiB of the words of a text; this much of any script fits. */
const maxCharacters = 100_000

/**
 * The words of a text with their positions, as PostgreSQL reads a tsvector. `marks` stand among them without a position:
 * names that no word of a text can have, since they hold a `_`. Of a very long text the first 100,000 characters count.
 * Only who asks for the words of the same realm finds it.
 */
export function documentOf(text: string, realm: string, marks: readonly string[]): string {
  const positions = new Map<string, number[]>()
  let position = 0
  for (const { word } of wordsIn(text.slice(0, maxCharacters))) {
    position += 1
    const known = positions.get(word)
    if (known) known.push(position)
    else positions.set(word, [position])
  }
  const entries = [...positions].map(([word, at]) => `'${realm}${word}':${at.join(',')}`)
  return [...entries, ...marks.map((mark) => `'${mark}'`)].join(' ')
}
