import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Client } from '../client.ts'
import { Failure } from '../failure.ts'
import { type Output, tableOf } from '../print.ts'

type Row = { line: number; email: string }
type Outcome = Row & {
  result: 'deactivated' | 'would be deactivated' | 'already deactivated' | 'unknown' | 'invalid'
}

const columns = { Line: 'line', Email: 'email', Result: 'result' }
// The service refuses all other addresses. Quotes and brackets are a sign of a row that was read wrongly.
const address = /^(?=.{3,254}$)[^\s@"<>()\p{Cc}]+@[^\s@"<>()\p{Cc}]+$/u
const findDocument =
  'query ($email: String!) { accounts(email: $email, first: 1) { nodes { deactivatedAt } } }'
const deactivateDocument =
  'mutation ($input: DeactivateAccountInput!) { deactivateAccount(input: $input) { account { id } } }'

/**
 * Deactivates the accounts of a CSV file, one after another. Therefore a run that was interrupted can be repeated. Fails
 * after the last row if a row is invalid or has no account.
 */
export async function deactivateAccounts(client: Client, command: Command): Promise<Output> {
  const { csv = '', dryRun = false } = command.opts<{ csv?: string; dryRun?: true }>()
  const outcomes: Outcome[] = []
  for (const row of rowsOf(textOf(csv)))
    outcomes.push({ ...row, result: await resultOf(client, row.email, dryRun) })
  const failed = outcomes.filter(({ result }) => result === 'invalid' || result === 'unknown').length
  const failure = failed > 0 ? `${failed} of ${outcomes.length} rows have no account.` : undefined
  return { json: outcomes, text: tableOf(columns, outcomes), failure }
}

async function resultOf(client: Client, email: string, isDryRun: boolean): Promise<Outcome['result']> {
  if (!address.test(email)) return 'invalid'
  const { accounts } = (await client(findDocument, { email })) as {
    accounts: { nodes: { deactivatedAt: string | null }[] }
  }
  const [account] = accounts.nodes
  if (!account) return 'unknown'
  if (account.deactivatedAt !== null) return 'already deactivated'
  if (isDryRun) return 'would be deactivated'
  await client(deactivateDocument, { input: { email } })
  return 'deactivated'
}

function textOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw new Failure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Returns the addresses of a file: those in the column "email" that the first row names, or the rows of a file with one
 * column. Fails if it is not certain which column has them, because another one can have addresses, too.
 */
function rowsOf(text: string): Row[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((source, index) => ({ line: index + 1, source }))
    .filter(({ source }) => source.trim() !== '')
  const [first] = lines
  if (!first) throw new Failure('The file has no email address.')
  const separator = first.source.includes(';') ? ';' : ','
  const header = fieldsOf(first.source, separator)
  const emailColumns = [...header.keys()].filter((index) => isEmailColumn.test(header[index] ?? ''))
  const hasHeader = emailColumns.length > 0
  if (emailColumns.length > 1 || (!hasHeader && header.length > 1))
    throw new Failure(
      'The first row must name exactly one column "email", because the file has several columns.',
    )
  const rows = hasHeader ? lines.slice(1) : lines
  if (rows.length === 0) throw new Failure('The file has no email address.')
  const read = rows.map(({ line, source }) => ({ line, fields: fieldsOf(source, separator) }))
  const odd = read.find(({ fields }) => fields.length !== header.length)
  if (odd)
    throw new Failure(
      `Line ${odd.line} has ${odd.fields.length} columns, but the first row has ${header.length}. Put fields with a "${separator}" into quotes.`,
    )
  return read.map(({ line, fields }) => ({ line, email: fields[emailColumns[0] ?? 0] ?? '' }))
}

const isEmailColumn = /^e-?mail([ _-]?address)?$/i

/** Returns the fields of a row (RFC 4180). Spreadsheets write the separator ";" in some languages. */
function fieldsOf(row: string, separator: ',' | ';'): string[] {
  const fields = row.match(new RegExp(`("(?:[^"]|"")*"|[^${separator}]*)(?:${separator}|$)`, 'g')) ?? []
  // The last match is always empty. It is a field only if the row ends with a separator.
  return (
    fields.length > 1 && fields.at(-1) === '' && !row.endsWith(separator) ? fields.slice(0, -1) : fields
  ).map((field) =>
    (field.endsWith(separator) ? field.slice(0, -1) : field)
      .trim()
      .replace(/^"([\s\S]*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  )
}
