import { joinInline } from '../markdown.ts'

/** A part of a line of rich text, as Markdown, and the marks of its styles. */
export type Span = { markdown: string; marks: ReadonlySet<string> }

const marks = ['**', '_', '~~']

/** Writes a line of spans. Neighbours of the same style share their marks, because `**a****b**` would be text. */
export function styledLine(spans: readonly Span[]): string {
  return write(spans, 0, '', '')
}

function write(spans: readonly Span[], depth: number, before: string, after: string): string {
  const mark = marks[depth]
  if (mark === undefined) return joinInline(spans.map(({ markdown }) => markdown))
  const groups = groupBy(spans, mark)
  const parts: string[] = []
  for (const [index, group] of groups.entries()) {
    const next = groups[index + 1]?.spans[0]?.markdown ?? after
    const previous = parts.at(-1) || before
    if (group.isMarked) parts.push(wrap(write(group.spans, depth + 1, mark, mark), mark, previous, next))
    else parts.push(write(group.spans, depth + 1, previous, next))
  }
  return joinInline(parts)
}

function groupBy(spans: readonly Span[], mark: string): { isMarked: boolean; spans: Span[] }[] {
  const groups: { isMarked: boolean; spans: Span[] }[] = []
  for (const span of spans) {
    const last = groups.at(-1)
    const isMarked = span.marks.has(mark)
    if (last?.isMarked === isMarked) last.spans.push(span)
    else groups.push({ isMarked, spans: [span] })
  }
  return groups
}

function wrap(inner: string, mark: string, before: string, after: string): string {
  const text = inner.trim()
  const start = inner.length - inner.trimStart().length
  const margins = [inner.slice(0, start), inner.slice(start + text.length)] as const
  const around = [(before + margins[0]).slice(-2), (margins[1] + after).slice(0, 2)] as const
  if (!text || !canMark(mark, text, around)) return inner
  return margins[0] + mark + text + mark + margins[1]
}

// Markdown takes a mark between a letter and punctuation, or an underscore in a word, as text (CommonMark 6.2).
function canMark(mark: string, text: string, [before, after]: readonly [string, string]): boolean {
  const isInside = (character = '') => /[^\s\p{P}\p{S}]/u.test(character)
  const strict = (inner = '') => mark === '_' || !isInside(inner)
  const [last, next] = [[...before].at(-1), [...after][0]]
  const [first, end] = [[...text.slice(0, 2)][0], [...text.slice(-2)].at(-1)]
  return !(isInside(last) && strict(first)) && !(isInside(next) && strict(end))
}
