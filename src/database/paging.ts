import { Prisma } from '../generated/prisma/client.ts'
import { type KeyType, type KeyValue, PageError, readCursor, writeCursor } from '../platform/cursors.ts'
import { type Connection, type Edge, type Ends, LazyConnection } from './connection.ts'
import type { Database } from './database.ts'
import { query } from './query.ts'

const defaultPageSize = 50
export const maxPageSize = 100

export type PageArgs = {
  first?: number | null | undefined
  after?: string | null | undefined
  last?: number | null | undefined
  before?: string | null | undefined
}

type Key = {
  column: Prisma.Sql
  type: KeyType
  /** The property of a row that has the value of this key, if the columns of the list include it. */
  property?: string
  /** Computes the value from the other values of a cursor. The computed value replaces the value in the cursor. */
  derive?: (values: readonly string[]) => string
}

/** A list in SQL. `from` and `where` can refer to the parent's ID as `parent.id`. */
export type Listing = {
  /** Identifies the list and its order in cursors. A cursor of another list is refused. */
  name: string
  columns: Prisma.Sql
  /** Use a function if the SQL is faster when it reads only the range of the page. */
  from: Prisma.Sql | ((range: ListRange) => Prisma.Sql)
  where: Prisma.Sql
  /** The list is ordered by these keys. Together they must be unique and have an index. */
  keys: readonly Key[]
  descending?: boolean
  isLong?: boolean
}

/** The part of a list that a page reads. `beyond` is empty or begins with AND. `limit` is the page size plus one. */
export type ListRange = { beyond: Prisma.Sql; order: Prisma.Sql; limit: number; backward: boolean }

type Order = Pick<Listing, 'name' | 'keys' | 'descending'>

/** Returns the keys of a list in order of creation. Its columns must include `createdAt` and `id`. */
export function byCreation(alias: string): Listing['keys'] {
  return [
    { column: Prisma.raw(`${alias}.created_at`), type: 'timestamptz(3)', property: 'createdAt' },
    { column: Prisma.raw(`${alias}.id`), type: 'text', property: 'id' },
  ]
}

export function edgeByCreation<Row extends { createdAt: Date; id: string }>(
  list: string,
  node: Row,
): Edge<Row> {
  return { cursor: writeCursor(list, [node.createdAt, node.id]), node }
}

type PageRequest = {
  limit: number
  backward: boolean
  after: string[] | undefined
  before: string[] | undefined
}
type RowOfParent = { parentNumber: number }

/** Reads a page for each parent, by one statement (Relay Cursor Connections). Cursors contain keys, not offsets. */
export async function pagesOf<Row>(
  db: Database,
  listing: Listing,
  parentIDs: readonly string[],
  args: PageArgs,
): Promise<Connection<Row>[]> {
  const request = readRequest(listing, args)
  const { isLong = false } = listing
  const rows = await query<Row & RowOfParent>(db, pageStatement(listing, parentIDs, request), { isLong })
  const byParent = parentIDs.map((): Row[] => [])
  for (const row of rows) byParent[row.parentNumber - 1]?.push(row)
  return byParent.map((found) => toConnection(found, listing, request))
}

export async function pageOf<Row>(db: Database, listing: Listing, args: PageArgs): Promise<Connection<Row>> {
  const [page] = await pagesOf<Row>(db, listing, [''], args)
  return page as Connection<Row>
}

/** Reads a page and the row of the SQL `parent`, in one statement. The SQL of the list can refer to that row. */
export async function pageWithParent<Row, Parent>(
  db: Database,
  listing: Listing,
  parent: Prisma.Sql,
  args: PageArgs,
): Promise<{ parent: Parent; page: Connection<Row> }> {
  const request = readRequest(listing, args)
  // Needs no ORDER BY, because with one outer row a lateral join keeps the inner order.
  const rows = await query<Parent & Row>(
    db,
    Prisma.sql`
    SELECT parent.*, page.* FROM (${parent}) AS parent LEFT JOIN LATERAL (${rowsOf(listing, request)}) AS page ON TRUE`,
    { isLong: listing.isLong ?? false },
  )
  const found = rows.filter((row) => keysOf(listing, row)[0] !== null)
  return { parent: rows[0] as Parent, page: toConnection<Row>(found, listing, request) }
}

export function emptyPage<Row>(order: Order, args: PageArgs): Connection<Row> {
  return toConnection<Row>([], order, readRequest(order, args))
}

/** Returns a page of rows that are already in memory, in the order of their IDs. */
export function pageAmong<Row extends { id: string }>(
  name: string,
  rows: readonly Row[],
  args: PageArgs,
): Connection<Row> {
  const listing: Order = { name, keys: [{ column: Prisma.sql`id`, type: 'text', property: 'id' }] }
  const request = readRequest(listing, args)
  const [after, before] = [request.after?.[0], request.before?.[0]]
  const beyond = rows
    .filter(({ id }) => (after === undefined || id > after) && (before === undefined || id < before))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
  const kept = request.backward ? beyond.reverse() : beyond
  return toConnection<Row>(kept, listing, request)
}

export function rangeOf(order: Order, args: PageArgs): ListRange {
  return toRange(order, readRequest(order, args))
}

/** Returns how many rows a page can have at most. Does not check the arguments. */
export function pageLimit({ first, last }: PageArgs): number {
  return Math.min(Math.max(first ?? last ?? defaultPageSize, 0), maxPageSize)
}

function readRequest(listing: Order, args: PageArgs): PageRequest {
  const { size } = pageSizeOf(args)
  // `before` without `first`, `last` and `after` requests the rows directly before the cursor.
  const backward = args.last != null || (args.first == null && args.after == null && args.before != null)
  return {
    backward,
    limit: size,
    after: args.after == null ? undefined : keysIn(listing, 'after', args.after),
    before: args.before == null ? undefined : keysIn(listing, 'before', args.before),
  }
}

function keysIn(listing: Order, field: string, cursor: string): string[] {
  const values = readCursor(field, cursor, listing)
  return values.map((value, index) => listing.keys[index]?.derive?.(values) ?? value)
}

/** Returns the size of a page, and the argument that decides it. */
export function pageSizeOf({ first, last }: PageArgs, min = 0): { field: 'first' | 'last'; size: number } {
  if (first != null && last != null) throw new PageError('last', 'cannot be used together with first')
  const field = last == null ? 'first' : 'last'
  const size = first ?? last ?? defaultPageSize
  if (size < min || size > maxPageSize)
    throw new PageError(field, `must be between ${min} and ${maxPageSize}`)
  return { field, size }
}

function toRange(listing: Order, request: PageRequest): ListRange {
  const order = listing.keys.map(({ column }) => Prisma.sql`${column} ${directionOf(listing, request)}`)
  return {
    beyond: Prisma.sql`${beyond(listing, request.after, true)} ${beyond(listing, request.before, false)}`,
    order: Prisma.join(order),
    limit: request.limit + 1,
    backward: request.backward,
  }
}

function directionOf({ descending = false }: Order, { backward }: PageRequest): Prisma.Sql {
  return backward === descending ? Prisma.sql`ASC` : Prisma.sql`DESC`
}

function pageStatement(listing: Listing, parentIDs: readonly string[], request: PageRequest): Prisma.Sql {
  const direction = directionOf(listing, request)
  const order = listing.keys.map((key, index) => Prisma.sql`${keyName(key, index)} ${direction}`)
  return Prisma.sql`
    SELECT parent.number::integer AS "parentNumber", page.*
    FROM ${parentsOf(parentIDs)} CROSS JOIN LATERAL (${rowsOf(listing, request)}) AS page
    ORDER BY parent.number, ${Prisma.join(order)}`
}

function rowsOf(listing: Listing, request: PageRequest): Prisma.Sql {
  const { columns, from, where, keys } = listing
  const range = toRange(listing, request)
  const named = keys.map((key, index) =>
    key.property ? Prisma.empty : Prisma.sql`, ${key.column} AS ${keyName(key, index)}`,
  )
  return Prisma.sql`
    SELECT ${columns} ${Prisma.join(named, '')}
    FROM ${typeof from === 'function' ? from(range) : from}
    WHERE ${where} ${range.beyond}
    ORDER BY ${range.order}
    LIMIT ${range.limit}`
}

function keyName(key: Key, index: number): Prisma.Sql {
  return Prisma.raw(`"${propertyOf(key, index)}"`)
}

function propertyOf({ property }: Key, index: number): string {
  return property ?? `key${index}`
}

function keysOf({ keys }: Order, row: unknown): KeyValue[] {
  const values = row as Record<string, KeyValue>
  return keys.map((key, index) => values[propertyOf(key, index)] as KeyValue)
}

// Uses a row instead of an array for one parent. PostgreSQL then knows that the page is in order, and does not sort it.
function parentsOf(ids: readonly string[]): Prisma.Sql {
  return ids.length === 1
    ? Prisma.sql`(SELECT ${ids[0]}::text AS id, 1 AS number) AS parent`
    : Prisma.sql`unnest(${[...ids]}::text[]) WITH ORDINALITY AS parent (id, number)`
}

function beyond(listing: Order, values: string[] | undefined, after: boolean): Prisma.Sql {
  if (!values) return Prisma.empty
  const columns = Prisma.join(listing.keys.map((key) => key.column))
  const cursor = Prisma.join(
    listing.keys.map((key, index) => Prisma.sql`CAST(${values[index]} AS ${Prisma.raw(key.type)})`),
  )
  const larger = after !== (listing.descending ?? false)
  return larger ? Prisma.sql`AND (${columns}) > (${cursor})` : Prisma.sql`AND (${columns}) < (${cursor})`
}

function toConnection<Row>(found: Row[], listing: Order, request: PageRequest): Connection<Row> {
  const more = found.length > request.limit
  const nodes = found.slice(0, request.limit)
  if (request.backward) nodes.reverse()
  return connectionOf(nodes, listing, {
    hasNextPage: request.backward ? request.before !== undefined : more,
    hasPreviousPage: request.backward ? more : request.after !== undefined,
  })
}

export function connectionOf<Row>(nodes: Row[], listing: Order, ends: Ends): Connection<Row> {
  return new LazyConnection(nodes, ends, (row) => writeCursor(listing.name, keysOf(listing, row)))
}
