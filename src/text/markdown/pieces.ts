import { escapeHTML, escapeText, unescapeMarkdown } from './escape.ts'

/** Deeper nesting is treated as text, so that no stack overflows here or in a client. */
export const maxNesting = 20

export type Tag = { kind: 'open' | 'close'; html: string; source: string }
export type Mention = { kind: 'mention'; id: string; label: string }
export type Part = Tag | Mention | { kind: 'text' | 'code'; text: string }

/** A run of `*`, `_` or `~`. Its `closing` tags come before the `remaining` characters, and `opening` after them. */
export type Run = {
  kind: 'run'
  mark: string
  at: number
  length: number
  remaining: number
  opens: boolean
  closes: boolean
  closing: Tag[]
  opening: Tag[]
}
export type Piece = Part | Run

/** Writes pieces as HTML. `names` has the current names of the mentioned users and groups that the reader can see. */
export function writePieces(pieces: Piece[], names: ReadonlyMap<string, string>): string {
  let html = ''
  let depth = 0
  for (const part of pieces.flatMap(partsOf)) {
    if (part.kind === 'open') depth += 1
    html += depth > maxNesting && 'source' in part ? escapeText(part.source) : writePart(part, names)
    if (part.kind === 'close') depth -= 1
  }
  return html
}

export function partsOf(piece: Piece): Part[] {
  if (piece.kind !== 'run') return [piece]
  return [
    ...piece.closing,
    { kind: 'text', text: piece.mark.repeat(piece.remaining) },
    ...piece.opening.toReversed(),
  ]
}

function writePart(part: Part, names: ReadonlyMap<string, string>): string {
  switch (part.kind) {
    case 'text':
      return escapeText(part.text)
    case 'code':
      return `<code>${escapeHTML(part.text)}</code>`
    case 'mention':
      return writeMention(part, names.get(part.id))
    default:
      return part.html
  }
}

function writeMention({ id, label }: Mention, name: string | undefined): string {
  if (name === undefined) return escapeText(unescapeMarkdown(label))
  return `<span class="mention" data-id="${id}">@${escapeHTML(name)}</span>`
}
