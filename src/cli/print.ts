import { harmless, harmlessLines } from '../platform/harmless.ts'

/** The columns of a table: for each header the path of what it shows, such as `user.id`. */
export type Columns = { [header: string]: string }

/** What an answer says to a program and to a person. */
export type Answer = { json: unknown; text: string }

/** What is at a dotted path, or undefined. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((inner, key) => (inner as { [key: string]: unknown } | null | undefined)?.[key], value)
}

/** A table with a line for each row. */
export function tableOf(columns: Columns, rows: readonly unknown[]): string {
  const paths = Object.values(columns)
  return aligned([Object.keys(columns), ...rows.map((row) => paths.map((path) => cell(at(row, path))))])
}

/** One thing, with a line for each of its columns. */
export function detailsOf(columns: Columns, row: unknown): string {
  return aligned(Object.entries(columns).map(([header, path]) => [header, cell(at(row, path))]))
}

/** JSON that shows a terminal nothing it would act on. */
export function jsonOf(value: unknown): string {
  return harmlessLines(JSON.stringify(value, null, 2))
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return harmless(Array.isArray(value) ? value.join(' ') : String(value))
}

function aligned(lines: string[][]): string {
  const widths =
    lines[0]?.map((_, index) => Math.max(...lines.map((line) => widthOf(line[index] ?? '')))) ?? []
  const padded = lines.map((line) =>
    line
      .map((text, index) => text + ' '.repeat((widths[index] ?? 0) - widthOf(text)))
      .join('  ')
      .trimEnd(),
  )
  return padded.join('\n')
}

const characters = new Intl.Segmenter()
const wide =
  /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60]/u

/** How many columns of a terminal the text takes, about: East Asian characters and emoji take two. */
function widthOf(text: string): number {
  return [...characters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0)
}
