import { escapeHTML } from '../markdown/escape.ts'
import type { Term } from './query.ts'
import { type Word, wordsIn } from './words.ts'

const maxCharacters = 200
const charactersBefore = 40
const maxMatches = 100

// `\s` contains U+FEFF, which is ignored inside a word.
const anyGap = /[^\S \ufeff]\s*| \s+/g

type Span = { start: number; end: number }
type Match = Span & { term: Term }

/** Returns about 200 characters with the most terms, as HTML that is safe to embed, with matches in `<mark>`. */
export function excerptOf(text: string, terms: readonly Term[]): string {
  const line = text.replace(anyGap, ' ').trim()
  const words = wordsIn(line)
  const matches = matchesIn(words, terms)
  const { start, end } = windowOf(line, words, bestOf(matches, terms.length))
  const shown = matches.filter((match) => match.start >= start && match.start < end)
  return `${start > 0 ? '… ' : ''}${highlight(line, { start, end }, shown)}${end < line.length ? ' …' : ''}`
}

function matchesIn(words: readonly Word[], terms: readonly Term[]): Match[] {
  const matches: Match[] = []
  const prefixes = terms.filter(mayBeginAnyWord)
  const byFirst = new Map<string, Term[]>()
  for (const term of terms.filter((term) => !mayBeginAnyWord(term))) {
    const [first = ''] = term.words
    byFirst.set(first, [...(byFirst.get(first) ?? []), term])
  }
  const lengths = new Set([...byFirst.keys()].map((word) => word.length))
  let index = -1
  for (const { word, start } of words) {
    index += 1
    // Most words fail this test, which costs less than a look-up.
    const exact = lengths.has(word.length) ? byFirst.get(word) : undefined
    if (!exact && prefixes.length === 0) continue
    for (const term of [...(exact ?? []), ...prefixes]) {
      const last = matchAt(term, words, index)
      if (last) matches.push({ start, end: last.end, term })
    }
    if (matches.length >= maxMatches) break
  }
  return matches
}

function mayBeginAnyWord({ words, isPrefix }: Term): boolean {
  return isPrefix && words.length === 1
}

function matchAt({ words, isPrefix }: Term, text: readonly Word[], index: number): Word | undefined {
  const lastOf = words.length - 1
  const all = words.every((word, offset) => {
    const there = text[index + offset]?.word
    return isPrefix && offset === lastOf ? there?.startsWith(word) : there === word
  })
  return all ? text[index + lastOf] : undefined
}

function bestOf(matches: readonly Match[], termCount: number): Match | undefined {
  let best: Match | undefined
  let most = 0
  for (const [index, match] of matches.entries()) {
    const limit = match.start + maxCharacters - 2 * charactersBefore
    const terms = new Set<Term>()
    for (let next = index; next < matches.length; next += 1) {
      const other = matches[next]
      if (!other || other.end > limit) break
      terms.add(other.term)
    }
    if (!best || terms.size > most) [best, most] = [match, terms.size]
    if (most === termCount) break
  }
  return best
}

function windowOf(line: string, words: readonly Word[], match: Match | undefined): Span {
  const wanted = Math.max(0, (match?.start ?? 0) - charactersBefore)
  const start = wanted === 0 ? 0 : (words.find((word) => word.start >= wanted)?.start ?? 0)
  const maxEnd = start + maxCharacters
  if (line.length <= maxEnd) return { start, end: line.length }
  if (match && match.end > maxEnd) return { start, end: maxEnd }
  const end = words.findLast((word) => word.end <= maxEnd && word.end > start)?.end
  return { start, end: end ?? maxEnd }
}

function highlight(line: string, { start, end }: Span, matches: readonly Match[]): string {
  let html = ''
  let position = start
  for (const match of unionOf(matches)) {
    const to = Math.min(match.end, end)
    html += `${escapeSlice(line, position, match.start)}<mark>${escapeSlice(line, match.start, to)}</mark>`
    position = to
  }
  return html + escapeSlice(line, position, end)
}

function unionOf(matches: readonly Span[]): Span[] {
  const union: Span[] = []
  for (const { start, end } of matches) {
    const last = union.at(-1)
    if (last && start < last.end) last.end = Math.max(last.end, end)
    else union.push({ start, end })
  }
  return union
}

// The window can cut a surrogate pair in a very long word.
function escapeSlice(line: string, start: number, end: number): string {
  return escapeHTML(line.slice(start, end).toWellFormed())
}
