import { Prisma } from '../generated/prisma/client.ts'
import { bindingOf, isBackground } from '../platform/request-database.ts'
import type { Database } from './database.ts'
import { driverOf, sharesOf } from './driver/drivers.ts'

/** SQL with `$1`, `$2`, ... and their values. A `Prisma.Sql` is a statement. */
export type Statement = Pick<Prisma.Sql, 'text' | 'values'>

type QueryOptions = {
  /** Statements with the same name run in order, without pauses. They serve several callers and ignore the signal. */
  pipeline?: string
  /** The statement can take longer than a few milliseconds. */
  isLong?: boolean
}

/** A value of a statement. In a template, a function that returns the value for a call. */
export type Value = string | readonly unknown[] | Prisma.Sql | Placeholder<never>
type Placeholder<Call> = (call: Call) => unknown

/** Runs a statement and returns its rows. A time is a Date, a bigint is a bigint, and a bytea is bytes. */
export async function query<Row>(
  db: Database,
  statement: Statement,
  options: QueryOptions = {},
): Promise<Row[]> {
  // The driver prepares a statement once for each connection. Therefore it costs a third of what `$queryRaw` costs.
  const outcome = outcomeOf(db, statement, options)
  if (!outcome) return db.$queryRawUnsafe<Row[]>(statement.text, ...statement.values)
  return (await outcome).rows as Row[]
}

/** Runs a statement that returns no rows, and returns how many rows it wrote. */
export async function execute(
  db: Database,
  statement: Statement,
  options: QueryOptions = {},
): Promise<number> {
  const outcome = outcomeOf(db, statement, options)
  return outcome ? (await outcome).count : db.$executeRawUnsafe(statement.text, ...statement.values)
}

function outcomeOf(db: Database, { text, values }: Statement, { pipeline, isLong = false }: QueryOptions) {
  const { shared, signal, caller } = bindingOf(db)
  const driver = driverOf(shared)
  if (!driver) return undefined
  if (pipeline !== undefined) return driver(text, values, { pipeline })
  if (isBackground(caller))
    return sharesOf(shared).run({ caller, use: 'background' }, () =>
      driver(text, values, { isBackground: true }),
    )
  const request = { caller, signal, use: isLong ? 'long' : 'short' } as const
  return sharesOf(shared).run(request, () => driver(text, values, { signal }))
}

type Rows = { table: string; alias: string; workspaceID: string; viewerID?: string | undefined }

/** Returns an item of a FROM clause: the rows of a workspace in which the column has one of the values. */
export function rowsBy(
  column: string,
  values: readonly string[],
  { table, alias, workspaceID, viewerID }: Rows,
): Prisma.Sql {
  const [of, by, as] = [Prisma.raw(table), Prisma.raw(column), Prisma.raw(alias)]
  const visible = viewerID === undefined ? Prisma.empty : Prisma.sql`AND viewer_id = ${viewerID}`
  // OFFSET 0, here and in other subqueries, stops PostgreSQL from merging the subquery with the statement. Therefore
  // PostgreSQL uses the index of the column. Otherwise it could choose any index while the table is small, and keep
  // that plan while the table grows.
  return Prisma.sql`unnest(${[...values]}::text[]) AS wanted (value) CROSS JOIN LATERAL (
    SELECT * FROM ${of} WHERE workspace_id = ${workspaceID} AND ${by} = wanted.value ${visible} OFFSET 0) AS ${as}`
}

/** Returns a function that creates a statement for a call. Composes the text once for each variant of a call. */
export function template<Call, Variant extends Record<string, boolean>>(
  variantOf: (call: Call) => Variant,
  compose: (variant: Variant) => Prisma.Sql,
): (call: Call) => Statement {
  // Caches the texts, because to compose the text takes longer than the rest of a call takes in this process.
  const known = new Map<string, { text: string; placeholders: Placeholder<Call>[] }>()
  return (call) => {
    const variant = variantOf(call)
    const name = Object.values(variant).join()
    const statement = known.get(name) ?? composed<Call>(compose(variant))
    known.set(name, statement)
    const { text, placeholders } = statement
    return { text, values: placeholders.map((placeholder) => placeholder(call)) }
  }
}

function composed<Call>({ strings: [first = '', ...rest], values }: Prisma.Sql) {
  const placeholders = [...new Set(values as Placeholder<Call>[])]
  if (!placeholders.every((placeholder) => typeof placeholder === 'function'))
    throw new TypeError('Every value of the template must be a function of the call')
  const numbered = rest.map(
    (text, index) => `$${placeholders.indexOf(values[index] as Placeholder<Call>) + 1}${text}`,
  )
  return { text: first + numbered.join(''), placeholders }
}

/** Returns an item of a FROM clause in a template: rows with these columns and a `number`, from 1. */
export function numberedRows<Call>(
  name: string,
  columns: Record<string, [type: string, values: (call: Call) => readonly unknown[]]>,
): Prisma.Sql {
  const names = Prisma.raw(`${name} (${Object.keys(columns).join(', ')}, number)`)
  const arrays = Object.values(columns).map(([type, values]) => Prisma.sql`${values}::${Prisma.raw(type)}[]`)
  return Prisma.sql`unnest(${Prisma.join(arrays)}) WITH ORDINALITY AS ${names}`
}
