import { type Context, requireScope, type UserActor } from '../../context.ts'
import type { Connection, Edge } from '../../database/connection.ts'
import type { PageArgs } from '../../database/paging.ts'
import { findGroupUnscoped } from '../../groups/access.ts'
import { parseInput } from '../../input.ts'
import { prefixOf } from '../../platform/ids.ts'
import { readQuery, type SearchQuery, type Term } from '../../text/search/query.ts'
import { emptyMatches, type FoundMessage } from './orders.ts'
import { pageOfMatches } from './page-of-matches.ts'
import { searchFor } from './search.ts'
import { type SearchFilter, type SearchInput, searchInput } from './search-input.ts'
import { searchedThreads } from './searched-threads.ts'

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
