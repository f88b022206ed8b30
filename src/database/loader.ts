import type { Prisma } from '../generated/prisma/client.ts'
import { charactersPerNode, inTurns } from '../platform/scheduling/in-turns.ts'
import { batcher } from './batches/batcher.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { type Listing, type PageArgs, pageLimit, pagesOf } from './paging.ts'
import { query } from './query.ts'

/** Look-ups of different actors never share a batch. */
type Reader = { db: Database; actor: { kind: string; userID?: string } }

/** The actor of a look-up that finds out who the caller is. */
export const anyone = { kind: 'anyone' }

const limits = { running: 2, calls: 500 }
/** The maximum number of rows that one statement reads. They are processed without a pause, in about 10 ms. */
const rowsAtOnce = 2500
/** Smaller pages do not wait for turns. GraphQL completes all small pages of a statement in a few milliseconds. */
const manyNodes = 10

/** Batches look-ups by ID of one actor in one workspace. A look-up sees all that was committed before it was called. */
export function rowLoader<Context extends Reader, Row>(
  find: (ctx: Context, workspaceID: string, ids: string[]) => Promise<ReadonlyMap<string, Row>>,
): (ctx: Context, workspaceID: string, id: string) => Promise<Row | undefined> {
  type Call = { ctx: Context; workspaceID: string; id: string }
  const batch = batcher<Call, Row | undefined>(limits, async (db, calls) => {
    const [{ ctx, workspaceID }] = calls
    const found = await find({ ...ctx, db }, workspaceID, unique(calls))
    return calls.map(({ id }) => found.get(id))
  })
  return (ctx, workspaceID, id) => batch(ctx.db, queueOf(ctx, workspaceID), { ctx, workspaceID, id })
}

/** Batches look-ups of rows by one statement. Each row has the ID of its look-up as its `id`. */
export function selectLoader<Context extends Reader, Row extends { id: string }>(
  select: (ctx: Context, workspaceID: string, ids: string[]) => Prisma.Sql,
): (ctx: Context, workspaceID: string, id: string) => Promise<Row | undefined> {
  return rowLoader(async (ctx, workspaceID, ids) =>
    byID(await query<Row>(ctx.db, select(ctx, workspaceID, ids))),
  )
}

/** Batches look-ups that find out who the caller is. Each row has the key by which it was found as its `id`. */
export function callerLoader<Row extends { id: string }>(
  select: (keys: string[]) => Prisma.Sql,
): (db: Database, key: string) => Promise<Row | undefined> {
  const load = selectLoader<Reader, Row>((_reader, _workspaceID, keys) => select(keys))
  // The workspace ID is empty, because the look-up finds the workspace, if there is one.
  return (db, key) => load({ db, actor: anyone }, '', key)
}

export function byID<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

type Parent = { workspaceID: string; id: string }

type SearchArgs = PageArgs & { search?: string | null | undefined }

/** Batches the pages of a connection field: one statement reads the pages of all parents with equal arguments. */
export function pageLoader<Context extends Reader, Row>(
  listingOf: (ctx: Context, workspaceID: string, search: string) => Listing,
): (ctx: Context, parent: Parent, args: SearchArgs) => Promise<Connection<Row>> {
  type Call = { ctx: Context; workspaceID: string; id: string; args: SearchArgs }
  const size = { max: rowsAtOnce, of: ({ args }: Call) => pageLimit(args) }
  const batch = batcher<Call, Connection<Row>>({ ...limits, size }, async (db, calls) => {
    const [{ ctx, workspaceID, args }] = calls
    const ids = unique(calls)
    const pages = await pagesOf<Row>(db, listingOf(ctx, workspaceID, args.search ?? ''), ids, args)
    const byParent = new Map(pages.map((page, index) => [ids[index], page]))
    return calls.map(({ id }) => byParent.get(id) as Connection<Row>)
  })
  return async (ctx, { workspaceID, id }, args) => {
    const { first, after, last, before, search } = args
    const texts = after == null && before == null && !search ? '' : JSON.stringify([after, before, search])
    const queue = `${queueOf(ctx, workspaceID)} ${first} ${last} ${texts}`
    const page = await batch(ctx.db, queue, { ctx, workspaceID, id, args })
    // Large pages take turns, because GraphQL completes the nodes of all pages of a statement without a pause.
    const nodes = page.nodes.length
    return nodes < manyNodes ? page : inTurns(ctx.db, charactersPerNode * nodes, () => page)
  }
}

function queueOf({ actor }: Reader, workspaceID: string): string {
  return `${actor.userID ?? actor.kind} ${workspaceID}`
}

function unique(calls: { id: string }[]): string[] {
  return [...new Set(calls.map(({ id }) => id))]
}
