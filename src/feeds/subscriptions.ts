import type { LiveLog } from '../events/live-log.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import type { SubscriptionResolvers } from '../generated/resolver-types.ts'
import { followEvents } from './follow-events.ts'
import { followInbox } from './follow-inbox.ts'
import type { InboxChange } from './inbox-changes.ts'
import { typeOf } from './resolvers.ts'

/** The subscriptions, which follow the log of this process. */
export function feedSubscriptions(liveLog: LiveLog) {
  const resolve = (event: LoggedEvent) => event
  const fields: Required<SubscriptionResolvers> = {
    events: {
      subscribe: (_root, { types, ...args }, ctx) =>
        followEvents(ctx, liveLog, { ...args, types: types?.map(typeOf) }),
      resolve,
    },
    threadEvents: { subscribe: (_root, args, ctx) => followEvents(ctx, liveLog, args), resolve },
    inbox: {
      subscribe: (_root, { after }, ctx) => followInbox(ctx, liveLog, after),
      resolve: (change: InboxChange) => change,
    },
  }
  return fields
}
