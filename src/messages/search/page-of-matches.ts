import type { Context, UserActor } from '../../context.ts'
import type { Connection } from '../../database/connection.ts'
import { type PageArgs, pageOf, pageWithParent } from '../../database/paging.ts'
import { sequenceEvents } from '../../events/sequence-events.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Sample, sampleOf, scanLengthFor } from './estimates.ts'
import { indexMessages } from './indexing/index-messages.ts'
import { bestFirst, type Found, type FoundMessage, newestFirst, type SearchOrder } from './orders.ts'
import type { Search } from './search.ts'
import { fromIndex, fromIndexByThread, scanByTime } from './sources.ts'

/** A search makes at most this many passes. `startIndexing` indexes the remaining messages. */
const maxPasses = 4

/** A sample and the caller's threads determine how the page is read. Every way finds the same matches. */
export async function pageOfMatches(
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
