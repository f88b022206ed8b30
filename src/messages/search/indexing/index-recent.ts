import type { Context, UserActor } from '../../../context.ts'
import { sequenceEvents } from '../../../events/sequence-events.ts'
import { indexMessages } from './index-messages.ts'

/** A search makes at most this many passes. `startIndexing` indexes the remaining messages. */
const maxPasses = 4

/** Indexes the new messages of the caller's workspace. If this fails, a search still finds the indexed messages. */
export async function indexRecent({ db, actor, config, log }: Context<UserActor>): Promise<void> {
  const call = { workspaceID: actor.workspaceID, schemes: config.mentionSchemes }
  try {
    await sequenceEvents(db)
    for (let pass = 0; pass < maxPasses; pass += 1) if (!(await indexMessages(db, call)).hasMore) return
  } catch (err) {
    log.warn({ err }, 'messages could not be indexed before a search')
  }
}
