import type { Database } from './database.ts'
import { charactersOfNode, inTurns } from './in-turns.ts'
import { joining } from './joining.ts'
import { type Connection, type Listing, type PageArgs, pageLimit, pagesOf } from './paging.ts'

/** Who reads, and where. What one reader may see is never joined with what another one asks. */
type Reader = { db: Database; actor: { kind: string; userID?: string } }

const bounds = { running: 2, calls: 500 }
/** As many rows are read by one statement, and taken in at once, within some ten milliseconds. */
const rowsAtOnce = 2500
/** Pages with fewer nodes take no turns: those of one statement are completed within some milliseconds. */
const manyNodes = 10

/**
 * Joins the look-ups by ID of one reader in one workspace, within a request and across requests, into one call of
 * `find`, which gets each ID once. Nothing is remembered: a look-up is answered by a statement that began after it.
 */
export function rowLoader<Context extends Reader, Row>(
  find: (ctx: Context, workspaceID: string, ids: string[]) => Promise<ReadonlyMap<string, Row>>,
): (ctx: Context, workspaceID: string, id: string) => Promise<Row | undefined> {
  type Call = { ctx: Context; workspaceID: string; id: string }
  const join = joining<Call, Row | undefined>(bounds, async (db, calls) => {
    const [{ ctx, workspaceID }] = calls
    const found = await find({ ...ctx, db }, workspaceID, unique(calls))
    return calls.map(({ id }) => found.get(id))
  })
  return (ctx, workspaceID, id) => join(ctx.db, laneOf(ctx, workspaceID), { ctx, workspaceID, id })
}

/** Rows by their IDs. */
export function byID<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

type Parent = { workspaceID: string; id: string }

/** The same for a connection field: the pages of all parents that are asked for with equal arguments are one statement. */
export function pageLoader<Context extends Reader, Row>(
  listingOf: (ctx: Context, workspaceID: string) => Listing,
): (ctx: Context, parent: Parent, args: PageArgs) => Promise<Connection<Row>> {
  type Call = { ctx: Context; workspaceID: string; id: string; args: PageArgs }
  const size = { max: rowsAtOnce, of: ({ args }: Call) => pageLimit(args) }
  const join = joining<Call, Connection<Row>>({ ...bounds, size }, async (db, calls) => {
    const [{ ctx, workspaceID, args }] = calls
    const ids = unique(calls)
    const pages = await pagesOf<Row>(db, listingOf(ctx, workspaceID), ids, args)
    const byParent = new Map(pages.map((page, index) => [ids[index], page]))
    return calls.map(({ id }) => byParent.get(id) as Connection<Row>)
  })
  return async (ctx, { workspaceID, id }, args) => {
    const { first, after, last, before } = args
    const cursors = after == null && before == null ? '' : JSON.stringify([after, before])
    const lane = `${laneOf(ctx, workspaceID)} ${first} ${last} ${cursors}`
    const page = await join(ctx.db, lane, { ctx, workspaceID, id, args })
    // What is asked of the nodes is completed as soon as they are there, for all pages of a statement in one go.
    const nodes = page.nodes.length
    return nodes < manyNodes ? page : inTurns(ctx.db, charactersOfNode * nodes, () => page)
  }
}

function laneOf({ actor }: Reader, workspaceID: string): string {
  return `${actor.userID ?? actor.kind} ${workspaceID}`
}

function unique(calls: { id: string }[]): string[] {
  return [...new Set(calls.map(({ id }) => id))]
}
