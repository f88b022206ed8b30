import { Prisma } from '../generated/prisma/client.ts'
import type { Database } from './database.ts'

const defaultPageSize = 50
const maxPageSize = 100

/** The arguments of a Relay connection. */
export type PageArgs = {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

export type Connection<Row> = {
  edges: { cursor: string; node: Row }[]
  nodes: Row[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

/** An argument of a connection that cannot be used. */
export class PageError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

/** A list in SQL. Its rows are those of `from` and `where`, which may refer to the parent's ID as `parent.id`. */
export type Listing = {
  /** Names the list and its order in cursors, so that a cursor of another list is refused. */
  name: string
  columns: Prisma.Sql
  from: Prisma.Sql
  where: Prisma.Sql
  /** What the list is ordered by: together unique, and under an index. */
  keys: readonly { column: Prisma.Sql; type: 'timestamptz(3)' | 'text' | 'integer' }[]
  descending?: boolean
}

type Page = { limit: number; backward: boolean; after: string[] | undefined; before: string[] | undefined }
type KeyedRow = { parentNumber: number; [key: `key${number}`]: Date | string | number }

/**
 * One page of a list for each parent, in one statement (Relay's Cursor Connections Specification): 50 rows unless
 * told, 100 at most. A page starts at the keys in its cursor, not at an offset, so that rows that come and go
 * elsewhere do not move it. Throws PageError.
 */
export async function pagesOf<Row>(
  db: Database,
  listing: Listing,
  parentIDs: readonly string[],
  args: PageArgs,
): Promise<Connection<Row>[]> {
  const page = readPage(listing, args)
  const rows = await db.$queryRaw<(Row & KeyedRow)[]>(pageStatement(listing, parentIDs, page))
  const byParent = parentIDs.map((): (Row & KeyedRow)[] => [])
  for (const row of rows) byParent[row.parentNumber - 1]?.push(row)
  return byParent.map((found) => toConnection(found, listing, page))
}

/** The same for a list that has no parent. */
export async function pageOf<Row>(db: Database, listing: Listing, args: PageArgs): Promise<Connection<Row>> {
  const [page] = await pagesOf<Row>(db, listing, [''], args)
  return page as Connection<Row>
}

/** The cursor of a row that was found in another way; `values` are those of the listing's keys. */
export function cursorAt(name: string, values: readonly (Date | string | number)[]): string {
  const plain = values.map((value) => (value instanceof Date ? value.toISOString() : String(value)))
  return Buffer.from(JSON.stringify([name, ...plain])).toString('base64url')
}

function readPage(listing: Listing, args: PageArgs): Page {
  if (typeof args.first === 'number' && typeof args.last === 'number') {
    throw new PageError('last', 'cannot be used together with first')
  }
  const backward = typeof args.last === 'number'
  return {
    backward,
    limit: pageSize(backward ? 'last' : 'first', backward ? args.last : args.first),
    after: readCursor('after', listing, args.after),
    before: readCursor('before', listing, args.before),
  }
}

function pageSize(field: string, value: number | null | undefined): number {
  const size = value ?? defaultPageSize
  if (size < 0 || size > maxPageSize) throw new PageError(field, `must be between 0 and ${maxPageSize}`)
  return size
}

function readCursor(
  field: string,
  listing: Listing,
  cursor: string | null | undefined,
): string[] | undefined {
  if (cursor == null) return undefined
  try {
    const [name, ...values]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (name === listing.name && values.length === listing.keys.length && values.every(isKeyValue)) {
      if (listing.keys.every((key, index) => fits(key.type, values[index] as string)))
        return values as string[]
    }
  } catch {}
  throw new PageError(field, 'is not a cursor of this list')
}

function isKeyValue(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
}

function fits(type: Listing['keys'][number]['type'], value: string): boolean {
  if (type === 'integer') return /^\d{1,9}$/.test(value)
  if (type === 'text') return true
  return /^[1-9]\d{3}-/.test(value) && new Date(value).toISOString() === value
}

function pageStatement(listing: Listing, parentIDs: readonly string[], page: Page): Prisma.Sql {
  const ascending = page.backward === (listing.descending ?? false)
  const direction = ascending ? Prisma.sql`ASC` : Prisma.sql`DESC`
  const columns = listing.keys.map((key) => key.column)
  const named = columns.map((column, index) => Prisma.sql`${column} AS ${Prisma.raw(`"key${index}"`)}`)
  const order = columns.map((column) => Prisma.sql`${column} ${direction}`)
  const outerOrder = columns.map((_, index) => Prisma.sql`${Prisma.raw(`"key${index}"`)} ${direction}`)
  return Prisma.sql`
    SELECT parent.number::integer AS "parentNumber", page.*
    FROM unnest(${[...parentIDs]}::text[]) WITH ORDINALITY AS parent (id, number)
    CROSS JOIN LATERAL (
      SELECT ${listing.columns}, ${Prisma.join(named)}
      FROM ${listing.from}
      WHERE ${listing.where} ${beyond(listing, page.after, true)} ${beyond(listing, page.before, false)}
      ORDER BY ${Prisma.join(order)}
      LIMIT ${page.limit + 1}
    ) AS page
    ORDER BY parent.number, ${Prisma.join(outerOrder)}`
}

function beyond(listing: Listing, values: string[] | undefined, after: boolean): Prisma.Sql {
  if (!values) return Prisma.empty
  const columns = Prisma.join(listing.keys.map((key) => key.column))
  const cursor = Prisma.join(
    listing.keys.map((key, index) => Prisma.sql`CAST(${values[index]} AS ${Prisma.raw(key.type)})`),
  )
  const larger = after !== (listing.descending ?? false)
  return larger ? Prisma.sql`AND (${columns}) > (${cursor})` : Prisma.sql`AND (${columns}) < (${cursor})`
}

function toConnection<Row>(found: (Row & KeyedRow)[], listing: Listing, page: Page): Connection<Row> {
  const more = found.length > page.limit
  const nodes = found.slice(0, page.limit)
  if (page.backward) nodes.reverse()
  const edges = nodes.map((node) => ({
    cursor: cursorAt(
      listing.name,
      listing.keys.map((_, index) => node[`key${index}`] as Date | string | number),
    ),
    node: node as Row,
  }))
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: page.backward ? page.before !== undefined : more,
      hasPreviousPage: page.backward ? more : page.after !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
