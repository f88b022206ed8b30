import { formatSQL } from './format-sql.ts'
import { nouns, tableOwners, viewOwners } from './table-owners.ts'

/** The folder with the printed statements: one file for each noun. */
export const sqlFolder = new URL('../../docs/sql/', import.meta.url)

const owners = { ...tableOwners, ...viewOwners }
const verbs = [
  ['Inserts into', /\bINSERT INTO ([a-z_]+)/g],
  ['Updates', /\bUPDATE ([a-z_]+)/g],
  ['Deletes from', /\bDELETE FROM ([a-z_]+)/g],
  ['Reads', /(?<!DELETE )\b(?:FROM|JOIN|USING) ([a-z_]+)|'([a-z_]+)'::regclass/g],
] as const

/**
 * Prints statements, each once and below a line that names its tables. Returns the text of each noun. A statement belongs
 * to the last noun that owns one of its tables, because the nouns before it cannot name this table.
 */
export function printStatements(statements: readonly string[]): Map<string, string> {
  const blocks = [...new Set(statements.map((sql) => formatSQL(withoutRepetition(sql))))]
    .map((text) => ({ noun: nounOf(text), block: `-- ${headingOf(text)}\n${text};\n` }))
    .sort((one, other) => (one.block < other.block ? -1 : 1))
  const found = [...new Set(blocks.map(({ noun }) => noun))].sort()
  return new Map(
    found.map((noun) => [
      noun,
      blocks.flatMap((each) => (each.noun === noun ? [each.block] : [])).join('\n'),
    ]),
  )
}

/** Returns the statements of a printed file, each with its heading. */
export function blocksOf(printed: string): string[] {
  return printed.split(/\n(?=-- )/).filter((block) => block !== '')
}

/** Says which statements differ between two printed files. */
export function changesBetween(before: string, after: string): string[] {
  const [old, now] = [blocksOf(before), blocksOf(after)]
  return [
    ...old.filter((block) => !now.includes(block)).map((block) => `no longer sent: ${block}`),
    ...now.filter((block) => !old.includes(block)).map((block) => `new: ${block}`),
  ]
}

function headingOf(sql: string): string {
  const sentences = verbs.map(([verb, pattern]) => [verb, tablesIn(sql, pattern).sort().join(', ')])
  const named = sentences.filter(([, tables]) => tables !== '')
  return named.map(([verb, tables]) => `${verb} ${tables}.`).join(' ') || 'Names no table.'
}

function nounOf(sql: string): string {
  const places = verbs
    .flatMap(([, pattern]) => tablesIn(sql, pattern))
    .map((table) => nouns.indexOf(owners[table] ?? ''))
  return nouns[Math.max(...places)] ?? 'others'
}

function tablesIn(sql: string, pattern: RegExp): string[] {
  const plain = sql.replaceAll(/"public"\.|"/g, '').replaceAll(/\s+/g, ' ')
  const names = [...plain.matchAll(pattern)].map(([, name, other]) => name ?? other ?? '')
  return [...new Set(names)].filter((name) => name in owners)
}

/**
 * Returns a statement of the Prisma client as if each list in it had one value. Otherwise, it would depend on the number
 * of rows.
 */
function withoutRepetition(sql: string): string {
  if (!sql.includes('"public".')) return sql
  const unnumbered = sql
    .replaceAll(/\$\d+/g, () => '$0')
    .replaceAll(/ IN \(\$0(?:,\$0)+\)/g, () => ' IN ($0)')
    .replaceAll(/(\([^()]+\))(?:(?: OR |, ?)\1)+/g, (_list, first) => first)
  let number = 0
  return unnumbered.replaceAll('$0', () => `$${++number}`)
}
