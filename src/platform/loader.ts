import DataLoader from 'dataloader'
import type { Database } from './database.ts'
import { type Connection, type Listing, type PageArgs, pagesOf } from './paging.ts'

/**
 * Joins the look-ups by ID that one request makes in the same turn into one call of `find` for each workspace, which
 * gets each ID once. Nothing is remembered, so that a mutation's answer shows what the mutation did.
 */
export function rowLoader<Context extends object, Row>(
  find: (ctx: Context, workspaceID: string, ids: string[]) => Promise<ReadonlyMap<string, Row>>,
): (ctx: Context, workspaceID: string, id: string) => Promise<Row | undefined> {
  const loaderOf = perRequest<Context, Row | undefined>()
  return (ctx, workspaceID, id) => loaderOf(ctx, workspaceID, (ids) => find(ctx, workspaceID, ids)).load(id)
}

/** Rows by their IDs. */
export function byID<Row extends { id: string }>(rows: Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

type Parent = { workspaceID: string; id: string }

/** The same for a connection field: the pages of all parents that ask with equal arguments are one statement. */
export function pageLoader<Context extends { db: Database }, Row>(
  listingOf: (ctx: Context, workspaceID: string) => Listing,
): (ctx: Context, parent: Parent, args: PageArgs) => Promise<Connection<Row>> {
  const loaderOf = perRequest<Context, Connection<Row> | undefined>()
  return async (ctx, { workspaceID, id }, args) => {
    const alike = JSON.stringify([workspaceID, args.first, args.after, args.last, args.before])
    const loader = loaderOf(ctx, alike, async (ids) => {
      const pages = await pagesOf<Row>(ctx.db, listingOf(ctx, workspaceID), ids, args)
      return new Map(pages.map((page, index) => [ids[index] as string, page]))
    })
    return (await loader.load(id)) as Connection<Row>
  }
}

function perRequest<Context extends object, Value>() {
  const requests = new WeakMap<Context, Map<string, DataLoader<string, Value | undefined>>>()
  return (ctx: Context, alike: string, find: (ids: string[]) => Promise<ReadonlyMap<string, Value>>) => {
    const loaders = requests.get(ctx) ?? new Map<string, DataLoader<string, Value | undefined>>()
    requests.set(ctx, loaders)
    const loader = loaders.get(alike) ?? joining(find)
    loaders.set(alike, loader)
    return loader
  }
}

function joining<Value>(find: (ids: string[]) => Promise<ReadonlyMap<string, Value>>) {
  return new DataLoader<string, Value | undefined>(
    async (ids) => {
      const found = await find([...new Set(ids)])
      return ids.map((id) => found.get(id))
    },
    { cache: false },
  )
}
