import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Connection, Edge } from '../../database/connection.ts'
import { type PageArgs, pageOf, pageWithParent } from '../../database/paging.ts'
import { sequenceEvents } from '../../events/sequence-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { findGroupUnscoped } from '../../groups/access.ts'
import { parseInput } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { readQuery, type SearchQuery, type Term } from '../../text/search/query.ts'
import { type Sample, sampleOf, scanLengthFor } from './estimates.ts'
import { indexMessages } from './indexing/index-messages.ts'
import {
  bestFirst,
  emptyMatches,
  type Found,
  type FoundMessage,
  newestFirst,
  type SearchOrder,
} from './orders.ts'
import { type Search, searchFor } from './search.ts'
import { type SearchFilter, type SearchInput, searchInput } from './search-input.ts'
import { searchedThreads } from './searched-threads.ts'
import { fromIndex, fromIndexByThread, scanByTime } from './sources.ts'

export type FoundEdge = { node: FoundMessage; edge: Edge<FoundMessage>; terms: readonly Term[] }
export type FoundMessages = Omit<Connection<FoundMessage>, 'edges'> & { edges: FoundEdge[] }

/** Returns the visible matches, including new messages if these could be indexed. Every query text is valid. */
export async function searchMessages(
  ctx: Context,
  input: SearchInput,
  args: PageArgs,
): Promise<FoundMessages> {
  requireScope(ctx, 'threads.messages:read')
  const { query: text, filter, order } = parseInput(searchInput, input)
  const query = readQuery(text)
  const terms = query.all.flat()
  const nothing = () => withTerms(emptyMatches(order ?? 'newest', args), terms)
  if (!(await canMatch(ctx, query, filter ?? {}))) return nothing()
  const threads = await searchedThreads(ctx, filter ?? {})
  if (threads.ids?.length === 0) return nothing()
  const search = searchFor(ctx.actor, query, filter ?? {}, threads)
  return withTerms(await pageOfMatches(ctx, search, order ?? 'newest', args), terms)
}

// If the caller cannot see the group of the filter, the search must not reveal which threads the group has.
async function canMatch(
  ctx: Context<UserActor>,
  { all }: SearchQuery,
  filter: SearchFilter,
): Promise<boolean> {
  const { threadID, authorID, groupID } = filter
  if (all.length === 0) return false
  if (threadID != null && prefixOf(threadID) !== 'thr') return false
  if (authorID != null && prefixOf(authorID) !== 'usr') return false
  return groupID == null || (await findGroupUnscoped(ctx, ctx.actor.workspaceID, groupID)) !== undefined
}

function withTerms(page: Connection<FoundMessage>, terms: readonly Term[]): FoundMessages {
  return {
    nodes: page.nodes,
    get edges() {
      return page.edges.map((edge) => ({ node: edge.node, edge, terms }))
    },
    pageInfo: page.pageInfo,
  }
}

/** A search makes at most this many passes. `startIndexing` indexes the remaining messages. */
const maxPasses = 4

/** A sample and the caller's threads determine how the page is read. Every way finds the same matches. */
async function pageOfMatches(
  ctx: Context<UserActor>,
  search: Search,
  order: SearchOrder,
  args: PageArgs,
): Promise<Connection<FoundMessage>> {
  const { range, listing, isFull } = order === 'best' ? bestFirst(search, args) : newestFirst(search, args)
  const readPage = (matches: Prisma.Sql) => pageOf<Found>(ctx.db, listing(matches), args)
  // If none of the messages in the sample match, the same statement gathers all matches. It gathers none if messages
  // are not indexed yet, unless `isLast` is set.
  const readSample = (isLast: boolean) => {
    const isRare = Prisma.sql`AND parent.matched = 0 AND (${isLast} OR NOT parent."isBehind")`
    const ifRare = listing(fromIndex(search, range, isRare))
    return pageWithParent<Found, Sample>(ctx.db, ifRare, sampleOf(search, range), args)
  }
  const first = await readSample(false)
  if (first.parent.isBehind) await indexRecent(ctx)
  const { parent: sample, page: rarePage } = first.parent.isBehind ? await readSample(true) : first
  if (sample.matched === 0) return rarePage
  const { few } = search.threads
  const scanLength = scanLengthFor(range, sample, few)
  const scanned = scanLength > 0 ? await readPage(scanByTime(search, range, scanLength)) : undefined
  if (scanned && isFull(scanned)) return scanned
  return readPage(few ? fromIndexByThread(search, range, few.ids) : fromIndex(search, range))
}

/** Indexes the new messages of the caller's workspace. If this fails, a search still finds the indexed messages. */
async function indexRecent({ db, actor, config, log }: Context<UserActor>): Promise<void> {
  const call = { workspaceID: actor.workspaceID, schemes: config.mentionSchemes }
  try {
    await sequenceEvents(db)
    for (let pass = 0; pass < maxPasses; pass += 1) if (!(await indexMessages(db, call)).hasMore) return
  } catch (err) {
    log.warn({ err }, 'messages could not be indexed before a search')
  }
}
