import type { LiveLog } from '../events/live-log.ts'
import type { LoggedEvent } from '../events/read-events.ts'
import type { SubscriptionResolvers } from '../generated/resolver-types.ts'
import { followEvents } from './following/follow-events.ts'
import { followInbox } from './following/follow-inbox.ts'
import type { InboxChange } from './following/inbox-changes.ts'
import { typeOf } from './resolvers.ts'

/** Returns the subscription fields. All subscribers of this process share `liveLog`. */
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
