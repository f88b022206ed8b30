import { Prisma } from '../generated/prisma/client.ts'
import { boundsOf } from '../platform/until.ts'
import type { Database } from './database.ts'
import { driverOf, sharesOf } from './driver/drivers.ts'

/** SQL with `$1`, `$2`, ... and their values. A `Prisma.Sql` is a statement. */
export type Statement = Pick<Prisma.Sql, 'text' | 'values'>

type How = {
  pipeline?: string
  /** The statement can take longer than a few milliseconds. */
  isLong?: boolean
}

/** A value of a statement, or in a template the function that returns it for a call. */
export type Value = string | readonly unknown[] | Prisma.Sql | Slot<never>
type Slot<Call> = (call: Call) => unknown

/**
 * Runs a statement and returns its rows. Costs a third of `$queryRaw`, because the driver prepares the
 * statement once for each connection. In a transaction it is `$queryRaw`. Both return a Date for a time, a
 * bigint for a bigint and bytes for a bytea. Statements with one `pipeline` name run one after the other
 * without a pause. They write for several callers, so a caller's abort signal does not stop them.
 */
export async function query<Row>(db: Database, statement: Statement, how: How = {}): Promise<Row[]> {
  const outcome = outcomeOf(db, statement, how)
  if (!outcome) return db.$queryRawUnsafe<Row[]>(statement.text, ...statement.values)
  return (await outcome).rows as Row[]
}

/** Runs a statement that returns no rows, and returns how many rows it wrote. */
export async function execute(db: Database, statement: Statement, how: How = {}): Promise<number> {
  const outcome = outcomeOf(db, statement, how)
  return outcome ? (await outcome).count : db.$executeRawUnsafe(statement.text, ...statement.values)
}

function outcomeOf(db: Database, { text, values }: Statement, { pipeline, isLong = false }: How) {
  const { shared, signal, caller } = boundsOf(db)
  const driver = driverOf(shared)
  if (!driver) return undefined
  if (pipeline !== undefined) return driver(text, values, { pipeline })
  const taking = { caller, signal, use: isLong ? 'long' : 'short' } as const
  return sharesOf(shared).run(taking, () => driver(text, values, { signal }))
}

type Rows = { table: string; alias: string; workspaceID: string; viewerID?: string | undefined }

/** Returns a part of a FROM: the rows of a workspace in which the column has one of the values. */
export function rowsBy(
  column: string,
  values: readonly string[],
  { table, alias, workspaceID, viewerID }: Rows,
): Prisma.Sql {
  const [of, by, as] = [Prisma.raw(table), Prisma.raw(column), Prisma.raw(alias)]
  const visible = viewerID === undefined ? Prisma.empty : Prisma.sql`AND viewer_id = ${viewerID}`
  // OFFSET 0 makes PostgreSQL look up each value by its index. A statement keeps its plan while tables grow, and for
  // a small table any other index would look as good.
  return Prisma.sql`unnest(${[...values]}::text[]) AS wanted (value) CROSS JOIN LATERAL (
    SELECT * FROM ${of} WHERE workspace_id = ${workspaceID} AND ${by} = wanted.value ${visible} OFFSET 0) AS ${as}`
}

/** Returns a function that creates a statement for a call. Composes the text once for each shape of a call. */
export function template<Call, Shape extends Record<string, boolean>>(
  shapeOf: (call: Call) => Shape,
  compose: (shape: Shape) => Prisma.Sql,
): (call: Call) => Statement {
  // Composing the text for each call would cost more than all else that is done for the call here.
  const known = new Map<string, { text: string; slots: Slot<Call>[] }>()
  return (call) => {
    const shape = shapeOf(call)
    const name = Object.values(shape).join()
    const statement = known.get(name) ?? composed<Call>(compose(shape))
    known.set(name, statement)
    const { text, slots } = statement
    return { text, values: slots.map((slot) => slot(call)) }
  }
}

// A function that occurs several times is one value.
function composed<Call>({ strings: [first = '', ...rest], values }: Prisma.Sql) {
  const slots = [...new Set(values as Slot<Call>[])]
  if (!slots.every((slot) => typeof slot === 'function'))
    throw new TypeError('Every value of the template must be a function of the call')
  const numbered = rest.map((text, index) => `$${slots.indexOf(values[index] as Slot<Call>) + 1}${text}`)
  return { text: first + numbered.join(''), slots }
}

/** Returns a part of a FROM in a template: rows with these columns, and `number`, which counts from 1. */
export function numberedRows<Call>(
  name: string,
  columns: Record<string, [type: string, values: (call: Call) => readonly unknown[]]>,
  { isOne }: { isOne: boolean },
): Prisma.Sql {
  const names = Prisma.raw(`${name} (${Object.keys(columns).join(', ')}, number)`)
  const arrays = Object.values(columns).map(([type, values]) =>
    isOne
      ? Prisma.sql`${(call: Call) => values(call)[0]}::${Prisma.raw(type)}`
      : Prisma.sql`${values}::${Prisma.raw(type)}[]`,
  )
  // PostgreSQL plans a single row of VALUES as if the values replaced the columns.
  return isOne
    ? Prisma.sql`(VALUES (${Prisma.join(arrays)}, 1::bigint)) AS ${names}`
    : Prisma.sql`unnest(${Prisma.join(arrays)}) WITH ORDINALITY AS ${names}`
}
