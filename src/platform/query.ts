import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { driverOf, sharesOf } from './drivers.ts'
import { boundsOf } from './until.ts'

/** What a driver takes: a text with `$1`, `$2`, ... and their values. A `Prisma.Sql` is one. */
export type Statement = Pick<Prisma.Sql, 'text' | 'values'>

type How = {
  pipeline?: string
  /** That the statement may take more than some milliseconds. */
  isLong?: boolean
}

/** A value of a statement; in a template what gives it for a call. */
export type Value = string | readonly unknown[] | Prisma.Sql | Slot<never>
type Slot<Call> = (call: Call) => unknown

/**
 * Runs a statement and gives its rows, as `$queryRaw` does, at a third of the cost: it goes to the driver, which
 * prepares it once for each connection. In a transaction it is `$queryRaw`. Rows hold what both give: a Date for a
 * time, a bigint for a bigint, bytes for a bytea. Statements that name one pipeline run one after the other, and no
 * time passes between them; they write for several callers, and are not stopped when a caller's signal aborts.
 */
export async function query<Row>(db: Database, statement: Statement, how: How = {}): Promise<Row[]> {
  const outcome = outcomeOf(db, statement, how)
  if (!outcome) return db.$queryRawUnsafe<Row[]>(statement.text, ...statement.values)
  return (await outcome).rows as Row[]
}

/** The same of a statement that gives no rows: how many it wrote. */
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

/** Rows of a table, or of a view of what a viewer can see. */
type Rows = { table: string; alias: string; workspaceID: string; viewerID?: string | undefined }

/**
 * A part of a FROM: the rows of a workspace's table in which a column has one of the values. Each is found by its key:
 * a statement keeps its plan while tables grow, and with the statistics of a small table any index looks as good.
 */
export function rowsBy(
  column: string,
  values: readonly string[],
  { table, alias, workspaceID, viewerID }: Rows,
): Prisma.Sql {
  const [of, by, as] = [Prisma.raw(table), Prisma.raw(column), Prisma.raw(alias)]
  const visible = viewerID === undefined ? Prisma.empty : Prisma.sql`AND viewer_id = ${viewerID}`
  return Prisma.sql`unnest(${[...values]}::text[]) AS wanted (value) CROSS JOIN LATERAL (
    SELECT * FROM ${of} WHERE workspace_id = ${workspaceID} AND ${by} = wanted.value ${visible} OFFSET 0) AS ${as}`
}

/**
 * Makes statements whose text follows from the shape of a call. Each is put together once for a shape, with functions of
 * the call where the values come: to put it together for each call takes longer than all else that is done for it here.
 */
export function template<Call, Shape extends Record<string, boolean>>(
  shapeOf: (call: Call) => Shape,
  compose: (shape: Shape) => Prisma.Sql,
): (call: Call) => Statement {
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

/** A function that stands in several places is one value. */
function composed<Call>({ strings: [first = '', ...rest], values }: Prisma.Sql) {
  const slots = [...new Set(values as Slot<Call>[])]
  if (!slots.every((slot) => typeof slot === 'function'))
    throw new TypeError('Every value of the template must be a function of the call')
  const numbered = rest.map((text, index) => `$${slots.indexOf(values[index] as Slot<Call>) + 1}${text}`)
  return { text: first + numbered.join(''), slots }
}

/**
 * A part of a FROM in a template: rows with these columns, each a type and what gives the values, and a last one that
 * numbers them from 1. Where there is one row it is written out, and PostgreSQL plans the statement as if the values
 * stood in the place of the columns.
 */
export function numberedRows<Call>(
  name: string,
  columns: Record<string, [type: string, values: (call: Call) => readonly unknown[]]>,
  { isOne }: { isOne: boolean },
): Prisma.Sql {
  const names = Prisma.raw(`${name} (${Object.keys(columns).join(', ')}, number)`)
  const given = Object.values(columns).map(([type, values]) =>
    isOne
      ? Prisma.sql`${(call: Call) => values(call)[0]}::${Prisma.raw(type)}`
      : Prisma.sql`${values}::${Prisma.raw(type)}[]`,
  )
  return isOne
    ? Prisma.sql`(VALUES (${Prisma.join(given)}, 1::bigint)) AS ${names}`
    : Prisma.sql`unnest(${Prisma.join(given)}) WITH ORDINALITY AS ${names}`
}
