import { escapeControlCharacters, escapeControlCharactersInLines } from '../text/escape-control-characters.ts'

/** The columns of a table. Each header has the path of its value, such as `user.id`. */
export type Columns = { [header: string]: string }

/** The output of a command: JSON for programs and text for people. `failure` says why the command then fails. */
export type Output = { json: unknown; text: string; failure?: string | undefined }

export function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((inner, key) => (inner as { [key: string]: unknown } | null | undefined)?.[key], value)
}

export function tableOf(columns: Columns, rows: readonly unknown[]): string {
  const paths = Object.values(columns)
  return aligned([Object.keys(columns), ...rows.map((row) => paths.map((path) => cell(valueAt(row, path))))])
}

export function detailsOf(columns: Columns, row: unknown): string {
  return aligned(Object.entries(columns).map(([header, path]) => [header, cell(valueAt(row, path))]))
}

export function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

/** Returns JSON in which control characters are escaped, because a terminal would act on them. */
export function jsonOf(value: unknown, indent = 2): string {
  return escapeControlCharactersInLines(JSON.stringify(value, null, indent))
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return escapeControlCharacters(Array.isArray(value) ? value.join(' ') : String(value))
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

/** Returns the approximate width in a terminal. East Asian characters and emoji take two columns. */
function widthOf(text: string): number {
  return [...characters.segment(text)].reduce((sum, { segment }) => sum + (wide.test(segment) ? 2 : 1), 0)
}
